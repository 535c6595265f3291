import type { ClusterStatus } from '@goldseam/server/contract'
import type { ReactNode } from 'react'
import { age } from '../../format/age.ts'
import { shortCount } from '../../format/rate.ts'
import { Glyph } from '../../ui/glyph.tsx'
import { Metric } from '../../ui/metric.tsx'
import { LoadReading } from './load-reading.tsx'
import { skewNote, skewWords } from './skew-words.ts'
import { STATE_MARKS } from './state-marks.ts'

/** The line of the table, with room for what the numbers mean. */
export function ClusterFacts({ cluster }: { readonly cluster: ClusterStatus }) {
  const { state, reason, ageSeconds, percentilesAgeSeconds, callsAgeSeconds = 0, load, clockSkewSeconds } = cluster
  return (
    <dl className="panel clusters-facts">
      <Fact name="State" note={reason}>
        <span className="clusters-state">
          <Glyph mark={STATE_MARKS[state]} label={state} /> {state}
        </span>
      </Fact>
      <Fact
        name="Data age"
        note={percentilesAgeSeconds === null ? 'no percentiles yet' : ages(percentilesAgeSeconds, callsAgeSeconds)}
      >
        {ageSeconds === null ? '--' : age(ageSeconds)}
      </Fact>
      <Fact
        name="Load on it"
        note={`asked every ${load.refreshSeconds} s, buckets every ${load.bucketRefreshSeconds} s`}
      >
        <LoadReading load={load} />
      </Fact>
      <Fact name="Scrape every" note={cluster.scrapeIntervalSeconds === null ? 'it does not tell' : null}>
        <Metric kind="latency" value={cluster.scrapeIntervalSeconds} label="scrape interval" />
      </Fact>
      <Fact name="Clock" note={skewNote(clockSkewSeconds)}>
        {skewWords(cluster)}
      </Fact>
      <Fact name="Series read" note="by one snapshot">
        {cluster.seriesRead === null ? '--' : shortCount(cluster.seriesRead)}
      </Fact>
      <Fact name="Workloads" note={cluster.dialects.join(', ') || 'no mesh found'}>
        {cluster.workloads}
      </Fact>
      <Fact name="Seams" note={null}>
        {cluster.seamsOut} out, {cluster.seamsIn} in
      </Fact>
    </dl>
  )
}

/** Of what is asked for more seldom than the rest. */
function ages(percentilesSeconds: number, callsSeconds: number): string {
  const percentiles = `percentiles ${age(percentilesSeconds)}`
  return callsSeconds > 0 ? `${percentiles}, calls ${age(callsSeconds)}` : percentiles
}

interface FactProps {
  readonly name: string
  readonly note: string | null
  readonly children: ReactNode
}

function Fact({ name, note, children }: FactProps) {
  return (
    <div>
      <dt className="muted">{name}</dt>
      <dd>
        {children}
        {note && <div className="muted">{note}</div>}
      </dd>
    </div>
  )
}
