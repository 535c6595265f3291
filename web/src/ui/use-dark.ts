import { useSyncExternalStore } from 'react'

function subscribe(onChange: () => void): () => void {
  const system = window.matchMedia?.('(prefers-color-scheme: dark)')
  system?.addEventListener('change', onChange)
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    system?.removeEventListener('change', onChange)
    observer.disconnect()
  }
}

function isDark(): boolean {
  return getComputedStyle(document.documentElement).colorScheme.includes('dark')
}

/** Whether the page is dark now, for what a canvas has to be told. */
export function useDark(): boolean {
  return useSyncExternalStore(subscribe, isDark, () => false)
}
