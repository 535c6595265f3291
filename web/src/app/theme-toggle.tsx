import { useState } from 'react'
import { useChangeSearch, useScope } from '../scope/use-scope.ts'

const THEMES = ['auto', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]
const SIGNS: Record<Theme, string> = { auto: 'Auto', light: 'Light', dark: 'Dark' }

function current(): Theme {
  return THEMES.find((theme) => theme === document.documentElement.dataset.theme) ?? 'auto'
}

export function ThemeToggle() {
  const [theme, setTheme] = useState<Theme>(current)
  const linked = useScope().theme
  const change = useChangeSearch()
  function next() {
    const chosen = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto'
    document.documentElement.dataset.theme = chosen
    try {
      localStorage.setItem('goldseam.theme', chosen)
    } catch {
      // Storage may be forbidden; the choice then lasts as long as the page.
    }
    // A theme stands in the link only when somebody put it there.
    if (linked !== '') change({ theme: chosen }, { replace: true })
    setTheme(chosen)
  }
  return (
    <button type="button" className="button button-plain" onClick={next} aria-label={`Theme: ${SIGNS[theme]}. Change`}>
      <svg viewBox="0 0 16 16" width="15" height="15" aria-hidden="true">
        <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.4" />
        <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
      </svg>
      <span className="theme-word">{SIGNS[theme]}</span>
    </button>
  )
}
