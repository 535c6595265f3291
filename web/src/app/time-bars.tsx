import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { linkQuery } from '../api/link-queries.ts'
import { lasting } from '../format/age.ts'
import { instant } from '../format/clock.ts'
import { stretch } from '../format/stretch.ts'
import { frozenTimes } from '../scope/links.ts'
import { asOfMs, isLive, livened, toInstantMs } from '../scope/time-range.ts'
import { useChangeSearch, useScope, useSearchText } from '../scope/use-scope.ts'

/** A link that is younger than this was meant to be live. */
const OLD_LINK_MS = 10 * 60_000

/** Which moment is on screen, wherever it is not simply now. */
export function TimeBars() {
  const { saved, to } = useScope()
  if (saved !== '') return <SavedBar code={saved} />
  return isLive(to) ? <AsOfBar /> : <FrozenBar />
}

/** A live link was opened long after it was copied: its sender saw something else. */
function AsOfBar() {
  const search = useSearchText()
  const { asof, from, to, tz } = useScope()
  const { stamped } = useLocation().state
  // Of the address that was opened; later ones are stamped by this very page.
  const [opened, setOpened] = useState({ asof: stamped === asof ? '' : asof, atMs: Date.now() })
  const change = useChangeSearch()
  const copiedMs = asOfMs(opened.asof)
  if (copiedMs === null || opened.atMs - copiedMs < OLD_LINK_MS) return null
  const then = frozenTimes(search, from, to, copiedMs)
  const window = stretch(toInstantMs(then.from ?? '', copiedMs) ?? copiedMs, copiedMs, tz)
  function leave() {
    setOpened({ asof: '', atMs: 0 })
  }
  return (
    <section className="time-bar no-print" aria-label="When this link was copied">
      <span title={instant(copiedMs)}>
        Copied <b>{lasting((opened.atMs - copiedMs) / 1000)}</b> ago, looking at {window}.
      </span>
      <button
        type="button"
        className="button"
        onClick={() => {
          leave()
          change(then)
        }}
      >
        Show that moment
      </button>
      <button
        type="button"
        className="button button-plain"
        onClick={() => {
          leave()
          change({ asof: undefined }, { replace: true })
        }}
      >
        Stay live
      </button>
    </section>
  )
}

function FrozenBar() {
  const { from, to, tz } = useScope()
  const change = useChangeSearch()
  const nowMs = Date.now()
  const fromMs = toInstantMs(from, nowMs) ?? nowMs
  const toMs = toInstantMs(to, nowMs) ?? nowMs
  return (
    <section className="time-bar" aria-label="Frozen view">
      <span title={`${instant(fromMs)} to ${instant(toMs)}`}>
        <b>Frozen view</b>, {stretch(fromMs, toMs, tz)}
      </span>
      <button type="button" className="button no-print" onClick={() => change(livened(from, to, nowMs))}>
        Go live
      </button>
    </section>
  )
}

/** The numbers come out of the store, not from the clusters: never to be taken for raw data. */
function SavedBar({ code }: { readonly code: string }) {
  const { from, to, tz } = useScope()
  const change = useChangeSearch()
  const { data } = useQuery(linkQuery(code))
  const nowMs = Date.now()
  return (
    <section className="time-bar" aria-label="Saved evidence">
      <span>
        <b>Saved evidence</b> <code>/s/{code}</code>
        {data && (
          <>
            , answers as they were on{' '}
            <span title={instant(data.snapshotAt ?? data.createdAt)}>
              {stretch(Date.parse(data.snapshotAt ?? data.createdAt), null, tz)}
            </span>
            . The clusters are not asked.
          </>
        )}
      </span>
      <button type="button" className="button no-print" onClick={() => change({ saved: undefined })}>
        Ask the clusters for this window
      </button>
      <button
        type="button"
        className="button button-plain no-print"
        onClick={() => change({ ...livened(from, to, nowMs), saved: undefined })}
      >
        Go live
      </button>
    </section>
  )
}
