import { useSyncExternalStore } from 'react'
import { reloadIfServed } from '../api/load-page-anew.ts'
import { serverBuild } from '../api/server-build.ts'
import { useKey } from '../ui/use-key.ts'

/** Said quietly, and nothing is loaded by itself: somebody may be in the middle of something. */
export function NewVersion() {
  const replaced = useSyncExternalStore(serverBuild.subscribe, serverBuild.isReplaced)
  return <span role="status">{replaced && <LoadIt />}</span>
}

function LoadIt() {
  const load = () => void reloadIfServed().catch(() => undefined)
  useKey('R', load)
  // Without the shift key too: who reads "press R" presses it as it comes, and a page loaded anew is refreshed as well.
  useKey('r', load)
  return (
    <button type="button" className="button button-plain" onClick={load}>
      New version, press R
    </button>
  )
}
