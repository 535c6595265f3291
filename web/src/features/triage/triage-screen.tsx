import './triage.css'
import type { Suspects } from '@goldseam/server/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { GapsNote } from '../../answers/gaps-note.tsx'
import { Loaded } from '../../answers/loaded.tsx'
import { suspectsQuery } from '../../api/queries.ts'
import { clock, instant, type Zone } from '../../format/clock.ts'
import { momentsIn } from '../../format/stretch.ts'
import { MisfitNote } from '../../scope/misfit-note.tsx'
import { useReadersZone } from '../../scope/spoken-times.ts'
import { useAsking } from '../../scope/use-asking.ts'
import { useChangeSearch, useFields, useScope } from '../../scope/use-scope.ts'
import { Cleared } from './cleared.tsx'
import { FleetAlerts } from './fleet-alerts.tsx'
import { OnsetLanes } from './onset-lanes.tsx'
import { SuspectCard } from './suspect-card.tsx'
import { triageFields } from './triage-search.ts'

/** The argument: who is suspected, what speaks for it, what was looked for and not found, and who is cleared. */
export function TriageScreen({ actions }: ArgumentProps) {
  return (
    <div className="triage">
      <h1 className="screen-title">Triage</h1>
      <Argument actions={actions} />
    </div>
  )
}

interface ArgumentProps {
  /** What can be done with it as a whole. */
  readonly actions: ReactNode
}

/** The same wherever it stands: on a page of its own, or beside another. */
export function Argument({ actions }: ArgumentProps) {
  const query = useQuery(suspectsQuery(null, useAsking()))
  return (
    <>
      <MisfitNote fields={triageFields} />
      <Loaded query={query} waiting={<p className="muted">Reading the clusters...</p>}>
        {(answer) => <Answer answer={answer} actions={actions} />}
      </Loaded>
    </>
  )
}

function Answer({ answer, actions }: ArgumentProps & { readonly answer: Suspects }) {
  const { not } = useFields(triageFields)
  const change = useChangeSearch()
  const ruleOut = (ids: readonly string[]) => change({ not: ids.join(',') }, { replace: true })
  const suspects = answer.suspects.filter(({ id }) => !not.includes(id))
  const silent = answer.clusters.filter(({ state }) => state === 'down' || state === 'pending' || state === 'stale')
  return (
    <>
      <Looked answer={answer} actions={actions} />
      <GapsNote clusters={answer.clusters} gaps={answer.gaps} />
      {suspects.length === 0 && <Nobody answer={answer} ruledOut={not.length} />}
      {suspects.length > 0 && silent.length > 0 && (
        <p className="note" role="status">
          Could change when {silent.map(({ name }) => name).join(' and ')} answers.
        </p>
      )}
      {suspects.map((suspect, index) => (
        <SuspectCard
          key={suspect.id}
          suspect={suspect}
          rank={index + 1}
          separate={index > 0 && separate(answer, suspects[0]?.id ?? '', suspect.id)}
          entries={answer.entries?.length ?? 0}
          ruleOut={() => ruleOut([...not, suspect.id])}
        />
      ))}
      {suspects.length > 0 && <OnsetLanes suspects={suspects} at={answer.snapshot.at} />}
      <FleetAlerts />
      <Cleared answer={answer} ruledOut={not} takeBack={(id) => ruleOut(not.filter((other) => other !== id))} />
    </>
  )
}

/** What was compared with what: the first thing to doubt when the answer looks wrong. */
function Looked({ answer, actions }: ArgumentProps & { readonly answer: Suspects }) {
  const { cmp, tz } = useScope()
  const { snapshot, clusters } = answer
  const { compare } = snapshot
  const since = firstOnset(answer)
  const answered = clusters.filter(({ state }) => state === 'ok' || state === 'partial').length
  return (
    <div className="triage-looked">
      <p className="muted triage-looked-at">
        {since !== null && (
          <span title={`${instant(since)} to ${instant(snapshot.at)}`}>incident {between(since, snapshot.at, tz)}</span>
        )}
        {compare && (
          <span title={`${instant(compare.from)} to ${instant(compare.to)}`}>
            {cmp === '' ? 'vs calm' : 'vs'} {between(compare.from, compare.to, tz)}
            {cmp === '' && ' (found by itself)'}
          </span>
        )}
        <span>
          {answered} of {clusters.length} clusters
        </span>
        <span title={instant(snapshot.at)}>computed {clock(snapshot.at, tz, true)}</span>
        <span>rates over {snapshot.rateWindowSeconds} s</span>
      </p>
      <span className="triage-actions no-print">{actions}</span>
    </div>
  )
}

/** When the first of those suspected changed; null where nobody is, or nobody knows. */
function between(from: string, to: string, zone: Zone): string {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)]
  const moment = momentsIn(fromMs, toMs, zone)
  return `${moment(fromMs)}-${moment(toMs)}`
}

function firstOnset({ suspects }: Suspects): string | null {
  const onsets = suspects.flatMap(({ onset }) => (onset === null ? [] : [onset]))
  return onsets.sort((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null
}

function Nobody({ answer, ruledOut }: { readonly answer: Suspects; readonly ruledOut: number }) {
  const say = useReadersZone()
  const { verdict, margin } = answer
  // Somebody to be explained, and nobody left who would: else the verdict says all there is.
  const unexplained = verdict.form !== 'quiet' && (answer.entries === undefined || answer.entries.length > 0)
  return (
    <section className="panel triage-nobody">
      {ruledOut > 0 && answer.suspects.length > 0 ? (
        <p>Everybody who was suspected is ruled out in this view. Nothing else explains it.</p>
      ) : verdict.form === 'quiet' ? (
        <p>Nothing is outside its usual range: nobody is suspected.</p>
      ) : answer.clusters.every(({ state }) => state !== 'ok' && state !== 'partial') ? (
        <p>No cluster answers: nobody can be suspected or cleared.</p>
      ) : (
        <>
          <p>{unexplained ? 'Something is off, and nothing that is measured explains it.' : 'Nobody is suspected.'}</p>
          <p>{say(verdict.text)}</p>
        </>
      )}
      {margin && (
        <p>
          <span className="muted">Smallest margin:</span> {margin.text}
        </p>
      )}
    </section>
  )
}

/** Whether two suspects belong to problems that share nothing. */
function separate({ problems }: Suspects, first: string, other: string): boolean {
  return !problems.some((ids) => ids.includes(first) && ids.includes(other))
}
