import type { RefObject } from 'react'
import { useKey } from './use-key.ts'

/** j and k walk over the links that `selector` finds, one a row; o, as Enter does, follows the one that has the focus. */
export function useRowKeys(rows: RefObject<HTMLElement | null>, selector: string): void {
  function move(by: number) {
    const links = [...(rows.current?.querySelectorAll<HTMLElement>(selector) ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    const next = links[at < 0 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))]
    next?.focus()
    next?.scrollIntoView?.({ block: 'nearest' })
  }
  useKey('j', () => move(1))
  useKey('k', () => move(-1))
  useKey('o', () => {
    if (rows.current?.contains(document.activeElement)) (document.activeElement as HTMLElement).click()
  })
}
