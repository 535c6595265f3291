import './signal-cards.css'
import type { GoalRow, WorkloadDetail } from '@goldseam/server/contract'
import { useMemo, useState } from 'react'
import { type ChartFrame, LABELS_PX, MARGIN } from '../../charts/axes.ts'
import { plotCursor } from '../../charts/plot-cursor.ts'
import { thin } from '../../charts/thin.ts'
import { latency } from '../../format/latency.ts'
import { printed, type Quantity } from '../../format/quantity.ts'
import { inFlight, perSecond } from '../../format/rate.ts'
import { share } from '../../format/ratio.ts'
import { success } from '../../format/success.ts'
import { useFields, useScope } from '../../scope/use-scope.ts'
import { Metric } from '../../ui/metric.tsx'
import { AxisUnit, PodBalance } from './card-extras.tsx'
import { usePodMarks } from './event-marks.ts'
import { SignalCard } from './signal-card.tsx'
import { chartFields } from './tree-search.ts'
import { BandsChart, ErrorChart, InFlightChart, RateChart } from './workload-charts.tsx'

const MOST_POINTS = 300

interface SignalCardsProps {
  readonly detail: WorkloadDetail
  /** How many of the charts may be drawn by now. */
  readonly charts: number
}

/** The four golden signals, always in this order. */
export function SignalCards({ detail, charts }: SignalCardsProps) {
  const { snapshot, workload, series } = detail
  const { now, usual, truths, bounds, ageSeconds } = workload
  const { tz } = useScope()
  const { ticks, maxOverMedian } = usePodMarks(workload.id)
  const { unit } = useFields(chartFields)
  const [cursor] = useState(plotCursor)
  const isPartial = detail.clusters.some(({ name, state }) => name === workload.cluster && state === 'partial')
  const points = useMemo(() => thin(series, MOST_POINTS), [series])
  const frame = useMemo<ChartFrame>(
    () => ({
      fromMs: Date.parse(series.from),
      toMs: Date.parse(series.to),
      onsetMs: onsetInside(workload.onset, series),
      calm: calmInside(snapshot.compare, series),
      zone: tz,
      partial: isPartial,
    }),
    [series, snapshot.compare, workload.onset, tz, isPartial],
  )
  const reading = { ageSeconds, sampleCount: now.sampleCount }
  const chart = { points, frame, cursor }
  const goalOf = (measure: GoalRow['measure']) => detail.goals.find((goal) => goal.measure === measure)?.goal ?? null
  return (
    <div className="cards">
      <SignalCard
        of={workload.id}
        frame={frame}
        ticks={ticks}
        part="rps"
        title="RPS"
        summary={sentence('Requests per second', now.requestsPerSecond, usual.requestsPerSecond, perSecond)}
        reading={
          <Metric
            atLeast={workload.rateIs === 'atLeast'}
            kind="rate"
            value={now.requestsPerSecond}
            truth={truths.requestsPerSecond}
            label="rate"
            {...reading}
          />
        }
        now={now.requestsPerSecond}
        usual={usual.requestsPerSecond}
        print={(value) => printed(perSecond(value))}
        points={points}
        columns={[{ title: 'RPS', of: 'requestsPerSecond', print: (value) => printed(perSecond(value)) }]}
        zone={tz}
      >
        {charts > 0 &&
          ((width) => (
            <RateChart {...chart} width={width} usual={usual.requestsPerSecond} goal={goalOf('requestsPerSecond')} />
          ))}
      </SignalCard>
      <SignalCard
        of={workload.id}
        frame={frame}
        ticks={ticks}
        part="success"
        title="Success"
        summary={sentence('Success', now.successRatio, usual.successRatio, (ratio) => success(ratio, null))}
        reading={
          <Metric
            atLeast={workload.successIs === 'atLeast'}
            kind="success"
            value={now.successRatio}
            truth={truths.successRatio}
            label="success"
            {...reading}
          />
        }
        now={null}
        usual={usual.successRatio}
        print={(value) => printed(success(value, null))}
        points={points}
        columns={[{ title: 'Success', of: 'successRatio', print: (value) => printed(success(value, null)) }]}
        zone={tz}
        note="error rate"
      >
        {charts > 1 && ((width) => <ErrorChart {...chart} width={width} goal={goalOf('successRatio')} />)}
      </SignalCard>
      <SignalCard
        of={workload.id}
        frame={frame}
        ticks={ticks}
        part="latency"
        title="Latency p99"
        tool={<AxisUnit unit={unit} />}
        rightPx={LABELS_PX + MARGIN.right}
        summary={sentence('p99', now.latencySeconds.p99, usual.latencySeconds.p99, latency)}
        reading={
          <Metric
            kind="latency"
            value={now.latencySeconds.p99}
            truth={truths.p99}
            bucket={bounds.p99}
            label="p99"
            {...reading}
            sampleCount={now.percentiles?.sampleCount ?? now.sampleCount}
            olderSeconds={now.percentiles?.ageSeconds}
          />
        }
        now={now.latencySeconds.p99}
        usual={usual.latencySeconds.p99}
        print={(value) => printed(latency(value))}
        points={points}
        columns={(['p50', 'p95', 'p99', 'p999'] as const).map((of) => ({
          title: of,
          of,
          print: (value: number) => printed(latency(value)),
        }))}
        zone={tz}
      >
        {charts > 2 &&
          ((width) => (
            <BandsChart {...chart} {...{ width, unit }} usual={usual.latencySeconds.p99} goal={goalOf('p99')} />
          ))}
      </SignalCard>
      <SignalCard
        of={workload.id}
        frame={frame}
        ticks={ticks}
        part="saturation"
        title="Saturation, in flight"
        summary={sentence('In flight', now.inFlight, usual.inFlight, inFlight)}
        reading={
          <Metric
            estimate={workload.inFlightIs === 'estimate'}
            kind="inFlight"
            value={now.inFlight}
            truth={truths.mean}
            label="in flight"
            {...reading}
          />
        }
        aside={maxOverMedian !== null && <PodBalance maxOverMedian={maxOverMedian} />}
        {...(workload.limitLeft == null ? {} : { note: `${printed(share(workload.limitLeft))} of the limit left` })}
        now={now.inFlight}
        usual={usual.inFlight}
        print={(value) => printed(inFlight(value))}
        points={points}
        columns={[{ title: 'In flight', of: 'inFlight', print: (value) => printed(inFlight(value)) }]}
        zone={tz}
      >
        {charts > 3 && ((width) => <InFlightChart {...chart} width={width} usual={usual.inFlight} />)}
      </SignalCard>
    </div>
  )
}

function onsetInside(onset: string | null, { from, to }: WorkloadDetail['series']): number | null {
  const at = onset === null ? Number.NaN : Date.parse(onset)
  return at >= Date.parse(from) && at <= Date.parse(to) ? at : null
}

/** The part of what is compared with that this window shows; null for none of it. */
function calmInside(compare: WorkloadDetail['snapshot']['compare'], { from, to }: WorkloadDetail['series']) {
  if (compare === null) return null
  const fromMs = Math.max(Date.parse(compare.from), Date.parse(from))
  const toMs = Math.min(Date.parse(compare.to), Date.parse(to))
  return toMs > fromMs ? { fromMs, toMs } : null
}

function sentence(what: string, now: number | null, usual: number | null, say: (value: number) => Quantity): string {
  if (now === null) return `${what}: no value`
  return `${what}: ${say(now).spoken}${usual === null ? '' : `, usually ${say(usual).spoken}`}`
}
