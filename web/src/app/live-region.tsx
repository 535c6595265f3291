import type { Verdict } from '@goldseam/server/contract'
import { useEffect, useRef, useState } from 'react'
import { nameInSentence } from '../format/workload-name.ts'

const LEAST_GAP_MS = 10_000

/** The one place that speaks up by itself: a new verdict, at most one message in ten seconds, the latest wins. */
export function LiveRegion({ verdict }: { readonly verdict: Verdict | undefined }) {
  const [said, setSaid] = useState('')
  const lastAt = useRef(0)
  const known = useRef<string | null>(null)
  const form = verdict?.form
  const suspect = verdict?.suspect ?? null
  const text = verdict?.text ?? ''
  useEffect(() => {
    if (form === undefined) return
    const key = `${form} ${suspect ?? ''}`
    const first = known.current === null
    if (known.current === key) return
    if (first) {
      // What the page says when it opens is read as the page; only changes are announced.
      known.current = key
      return
    }
    const message = form === 'suspect' && suspect ? `New suspect: ${nameInSentence(suspect)}` : text
    const wait = Math.max(0, lastAt.current + LEAST_GAP_MS - Date.now())
    const timer = setTimeout(() => {
      known.current = key
      lastAt.current = Date.now()
      setSaid(message)
    }, wait)
    return () => clearTimeout(timer)
  }, [form, suspect, text])
  return (
    <div className="sr-only" aria-live="polite" role="status">
      {said}
    </div>
  )
}
