import { TriageScreen } from '../features/triage/triage-screen.tsx'
import { useScope } from '../scope/use-scope.ts'
import { EvidenceButton } from './evidence-button.tsx'
import { useHead } from './use-head.ts'
import { useKeptLink } from './use-kept-link.ts'
import { useShare } from './use-share.ts'

export function TriagePage() {
  return <TriageScreen actions={<ArgumentActions />} />
}

/** The argument is what gets handed on: what the Share menu offers for it, without opening the menu. */
export function ArgumentActions() {
  const share = useShare(useHead())
  const { busy, keep } = useKeptLink(share)
  const { saved } = useScope()
  return (
    <>
      <button type="button" className="button" onClick={share.copyFrozen}>
        Copy frozen link <kbd>Y</kbd>
      </button>
      <button type="button" className="button" onClick={share.copyText}>
        Text <kbd>C</kbd>
      </button>
      <EvidenceButton disabled={busy || saved !== ''} onClick={() => void keep('evidence')} />
    </>
  )
}
