import { useEffect, useRef } from 'react'
import { keyFor, lettersAct } from './key-choice.ts'
import type { BoundKey } from './key-map.ts'

const TYPING = 'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]'
/** Between the two keys of a sequence. */
const PATIENCE_MS = 1_200

/** The first key of a sequence, shared by all that listen. When it was pressed, not when a busy page got to it. */
let before: { readonly key: string; readonly atMs: number } = { key: '', atMs: 0 }

if (typeof document !== 'undefined') {
  // On the way back up, so that listeners below still see what came before this key.
  window.addEventListener('keydown', ({ key, ctrlKey, metaKey, altKey, timeStamp }) => {
    if (key.length === 1) before = { key: ctrlKey || metaKey || altKey ? '' : key, atMs: timeStamp }
  })
}

/** One key of the key map, anywhere on the page; silent while somebody types or a dialog is open. */
export function useKey(key: BoundKey, act: (event: KeyboardEvent) => void): void {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (!isMeant(key, event) || event.defaultPrevented) return
      if (document.querySelector('dialog[open]')) return
      const withMod = key.startsWith('Mod+')
      if (!withMod && (!lettersAct() || (event.target instanceof Element && event.target.closest(TYPING)))) return
      latest.current(event)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [key])
}

function isMeant(bound: BoundKey, { key, ctrlKey, metaKey, altKey, timeStamp }: KeyboardEvent): boolean {
  if (bound.startsWith('Mod+'))
    return (ctrlKey || metaKey) && !altKey && key.toLowerCase() === bound.slice(4).toLowerCase()
  if (ctrlKey || metaKey || altKey) return false
  const started = before.key === 'g' && timeStamp - before.atMs < PATIENCE_MS
  const sequence = bound.length === 3 && bound[1] === ' '
  return sequence ? started && key === bound[2] : !started && key === keyFor(bound)
}
