import { useState } from 'react'
import { makeLink } from '../api/link-queries.ts'
import { frozenLink, frozenSearch } from '../scope/links.ts'
import { useChangeSearch, useScope } from '../scope/use-scope.ts'
import { copyAndSay, say } from '../ui/toast.tsx'
import type { Share } from './use-share.ts'

export function ShareChoices({ share, close }: { readonly share: Share; readonly close: () => void }) {
  const { from, to, saved } = useScope()
  const change = useChangeSearch()
  const [busy, setBusy] = useState(false)
  function then(act: () => void) {
    return () => {
      act()
      close()
    }
  }
  async function shorten(kind: 'link' | 'evidence') {
    setBusy(true)
    try {
      const address = frozenLink(share.place, share.atMs())
      const made = await makeLink({ kind, address, title: document.title.slice(0, 200) })
      const kept = made.durable ? '' : ' It is gone when the server restarts.'
      const less = made.leftOut.length === 0 ? '' : ` Too large to keep: ${made.leftOut.join(', ')}.`
      const what = kind === 'link' ? 'Copied a short link' : 'Evidence saved, its link copied'
      await copyAndSay(`${window.location.origin}${made.path}`, `${what}: ${made.path}.${kept}${less}`)
    } catch (error) {
      say(`No link was made. ${error instanceof Error ? error.message : ''}`)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="menu-panel menu-list">
      <button type="button" className="button button-plain" onClick={then(share.copyFrozen)}>
        Copy frozen link <kbd>Y</kbd>
      </button>
      <button type="button" className="button button-plain" onClick={then(share.copyLive)}>
        Copy live link <kbd>y</kbd>
      </button>
      <button type="button" className="button button-plain" onClick={then(share.copyText)}>
        Copy as text <kbd>C</kbd>
      </button>
      <hr />
      <button type="button" className="button button-plain" disabled={busy} onClick={then(() => void shorten('link'))}>
        Copy short link
      </button>
      <button
        type="button"
        className="button button-plain"
        disabled={busy || saved !== ''}
        title="Keeps the answers themselves: they stay readable when Prometheus has dropped the data"
        onClick={then(() => void shorten('evidence'))}
      >
        Save evidence
      </button>
      <hr />
      <button
        type="button"
        className="button button-plain"
        onClick={then(() => change(frozenSearch({}, from, to, share.atMs())))}
      >
        Freeze this view
      </button>
      <button type="button" className="button button-plain" onClick={then(() => window.print())}>
        Print
      </button>
    </div>
  )
}
