import { THEMES, type Theme, useTheme } from './use-theme.ts'

const SIGNS: Record<Theme, string> = { auto: 'Auto', light: 'Light', dark: 'Dark' }

export function ThemeToggle() {
  const [theme, choose] = useTheme()
  const next = () => choose(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto')
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
