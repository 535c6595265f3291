import { useEffect, useState } from 'react'
import { instant } from '../format/clock.ts'

/** On paper a page has no address bar: which page it was, of what, and when it was printed. */
export function PrintFoot() {
  const [printedAt, setPrintedAt] = useState(0)
  useEffect(() => {
    const note = () => setPrintedAt(Date.now())
    window.addEventListener('beforeprint', note)
    return () => window.removeEventListener('beforeprint', note)
  }, [])
  return (
    <footer className="print-only print-foot">
      {printedAt > 0 && `Goldseam, printed ${instant(printedAt)} from ${window.location.href}`}
    </footer>
  )
}
