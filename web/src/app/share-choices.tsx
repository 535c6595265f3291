import { frozenTimes } from '../scope/links.ts'
import { useChangeSearch, useScope, useSearchText } from '../scope/use-scope.ts'
import { EvidenceButton } from './evidence-button.tsx'
import { useKeptLink } from './use-kept-link.ts'
import type { Share } from './use-share.ts'

export function ShareChoices({ share, close }: { readonly share: Share; readonly close: () => void }) {
  const { from, to, saved } = useScope()
  const search = useSearchText()
  const change = useChangeSearch()
  const { busy, keep } = useKeptLink(share)
  function then(act: () => void) {
    return () => {
      act()
      close()
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
      <button type="button" className="button button-plain" disabled={busy} onClick={then(() => void keep('link'))}>
        Copy short link
      </button>
      <EvidenceButton plain disabled={busy || saved !== ''} onClick={then(() => void keep('evidence'))} />
      <hr />
      <button
        type="button"
        className="button button-plain"
        onClick={then(() => change(frozenTimes(search, from, to, share.atMs())))}
      >
        Freeze this view
      </button>
      <button type="button" className="button button-plain" onClick={then(() => window.print())}>
        Print
      </button>
    </div>
  )
}
