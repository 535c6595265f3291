import './missing-part.css'
import { useQuery } from '@tanstack/react-query'
import { reloadBySelf, reloadIfServed, TooSoon } from '../api/load-page-anew.ts'

const AGAIN_MS = 5_000

/**
 * Stands where a part of the page could not be loaded: the server is away, or has another build. Browsers keep that a
 * script failed, so only the whole page, loaded anew, brings it; the address has what is on it.
 */
export function MissingPart() {
  return <MissingNote />
}

function MissingNote({ close }: { readonly close?: (() => void) | undefined }) {
  const { error } = useQuery({
    queryKey: ['missing part'],
    queryFn: reloadBySelf,
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: AGAIN_MS,
  })
  return (
    <div className="note" role="alert">
      <strong>This part of the page could not be loaded.</strong>
      {error instanceof TooSoon
        ? 'Loading the page anew did not bring it; it is tried again in a while.'
        : 'Goldseam is away, or was replaced. The page is loaded anew by itself as soon as it answers.'}
      <button type="button" className="button" onClick={() => void reloadIfServed().catch(() => undefined)}>
        Load the page now
      </button>
      {close && (
        <button type="button" className="button" onClick={close}>
          Close
        </button>
      )}
    </div>
  )
}

/** The same for what would be a menu's panel. */
export function MissingMenu() {
  return (
    <div className="menu-panel">
      <MissingPart />
    </div>
  )
}

/** The same for what would lie over the page. */
export function MissingOverlay({ close }: { readonly close?: () => void }) {
  return (
    <div className="missing-overlay no-print">
      <MissingNote close={close} />
    </div>
  )
}
