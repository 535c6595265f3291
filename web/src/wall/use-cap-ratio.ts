import { useSyncExternalStore } from 'react'
import { measureCapRatio } from './size.ts'

/**
 * Cap height / font size of the page's font. Until that is fetched another stands in for it, and stays if it cannot be
 * had; so nothing waits for it, and what came is measured anew before it is painted.
 */
export function useCapRatio(): number {
  return useSyncExternalStore(onFonts, measured)
}

function onFonts(tell: () => void): () => void {
  document.fonts.addEventListener('loadingdone', tell)
  return () => document.fonts.removeEventListener('loadingdone', tell)
}

function measured(): number {
  return measureCapRatio(getComputedStyle(document.documentElement).getPropertyValue('--font'))
}
