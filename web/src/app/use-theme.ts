import { useSyncExternalStore } from 'react'
import { useChangeSearch, useScope } from '../scope/use-scope.ts'

export const THEMES = ['auto', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

function current(): Theme {
  return THEMES.find((theme) => theme === document.documentElement.dataset.theme) ?? 'auto'
}

/** The theme that was chosen (`auto`: the system's), and how to choose another; it is kept in this browser. */
export function useTheme(): [Theme, (chosen: Theme) => void] {
  const theme = useSyncExternalStore(subscribe, current, () => 'auto' as const)
  const linked = useScope().theme
  const change = useChangeSearch()
  function choose(chosen: Theme) {
    document.documentElement.dataset.theme = chosen
    try {
      localStorage.setItem('goldseam.theme', chosen)
    } catch {
      // Storage may be forbidden; the choice then lasts as long as the page.
    }
    // A theme stands in the link only when somebody put it there.
    if (linked !== '') change({ theme: chosen }, { replace: true })
  }
  return [theme, choose]
}
