import { useEffect, useState } from 'react'
import { instant } from '../format/clock.ts'
import { toInstantMs } from '../scope/time-range.ts'
import { useScope } from '../scope/use-scope.ts'

/** On paper a page has no address bar: which page it was, of what, and when it was printed. */
export function PrintFoot() {
  const [printedAt, setPrintedAt] = useState(0)
  const { from, to } = useScope()
  useEffect(() => {
    const note = () => setPrintedAt(Date.now())
    window.addEventListener('beforeprint', note)
    return () => window.removeEventListener('beforeprint', note)
  }, [])
  return (
    <footer className="print-only print-foot">
      {printedAt > 0 &&
        `Goldseam${build()}, window ${said(from, printedAt)} to ${said(to, printedAt)}, printed ${instant(printedAt)} from ${window.location.href}`}
    </footer>
  )
}

/** A relative time as it was when the page was printed. */
function said(text: string, nowMs: number): string {
  const atMs = toInstantMs(text, nowMs)
  return atMs === null ? text : instant(atMs)
}

/** Which Goldseam drew the page. */
function build(): string {
  const id = document.querySelector('meta[name="goldseam-build"]')?.getAttribute('content')
  return id ? ` ${id}` : ''
}
