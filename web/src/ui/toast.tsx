import './toast.css'
import { useEffect, useSyncExternalStore } from 'react'

interface Said {
  readonly text: string
  /** To copy by hand, where the page may not write to the clipboard. */
  readonly byHand: string | null
  /** Tells the same words said twice apart. */
  readonly id: number
}

const SHOWN_MS = 4_000
const QUIET: Said = { text: '', byHand: null, id: 0 }
let said: Said = QUIET
const listeners = new Set<() => void>()

function set(next: Said): void {
  said = next
  for (const tell of listeners) tell()
}

/** One short sentence about what was just done, for eyes and ears. The next one takes its place. */
export function say(text: string): void {
  set({ text, byHand: null, id: said.id + 1 })
}

/** Copies and says so. Pages over plain http may not: they show the text to be copied by hand. */
export async function copyAndSay(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    say(done)
  } catch {
    set({ text: 'This page may not write to the clipboard. Copy it from here:', byHand: text, id: said.id + 1 })
  }
}

export function Toast() {
  const { text, byHand, id } = useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => said,
  )
  useEffect(() => {
    if (id === 0 || byHand !== null) return
    const timer = setTimeout(() => set({ ...QUIET, id }), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id, byHand])
  return (
    <div className="toast" role="status">
      {text !== '' && <span>{text}</span>}
      {byHand !== null && (
        <>
          <input className="field" readOnly value={byHand} aria-label="To copy" ref={(field) => field?.select()} />
          <button type="button" className="button" onClick={() => set(QUIET)}>
            Close
          </button>
        </>
      )}
    </div>
  )
}
