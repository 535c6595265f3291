import type { Interval, Intervals } from '@goldseam/server/contract'
import { useQuery } from '@tanstack/react-query'
import type { WorkloadAddress } from '../../api/queries.ts'
import { intervalsQuery } from '../../api/workload-parts.ts'
import { clock, type Zone } from '../../format/clock.ts'
import { latencyBound } from '../../format/latency.ts'
import { MINUS, printed } from '../../format/quantity.ts'
import { shortCount } from '../../format/rate.ts'
import { ratio } from '../../format/ratio.ts'
import { success } from '../../format/success.ts'
import { useAsking } from '../../scope/use-asking.ts'
import { useScope } from '../../scope/use-scope.ts'
import type { TableData } from '../../ui/table-download.tsx'
import { PartPanel } from './part-panel.tsx'

const PERCENTILES = ['p50', 'p95', 'p99', 'p999'] as const

/** Interval by interval, newest first, as slow_cooker prints them: a stall is a row with signs. */
export function IntervalsTab({ address }: { readonly address: WorkloadAddress }) {
  const query = useQuery(intervalsQuery(address, useAsking()))
  const { tz } = useScope()
  return (
    <PartPanel
      title="Interval log"
      about="newest first; + twice, ++ four times, +++ ten times the median before"
      query={query}
      download={{ file: 'goldseam-intervals', table: tableOfIntervals }}
    >
      {({ intervals, intervalSeconds, resolutionSeconds }) => (
        <>
          <div className="interval-scroll">
            <table className="interval-log">
              <caption className="sr-only">One row each {intervalSeconds} seconds; latencies in milliseconds</caption>
              <thead>
                <tr>
                  <th scope="col">time</th>
                  <th scope="col">good/bad</th>
                  <th scope="col">success</th>
                  <th scope="col">min</th>
                  {PERCENTILES.map((name) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                  <th scope="col">max</th>
                  <th scope="col">change</th>
                </tr>
              </thead>
              <tbody>
                {intervals.map((interval) => (
                  <IntervalRow key={interval.at} interval={interval} zone={tz} />
                ))}
              </tbody>
            </table>
          </div>
          <p className="muted">
            Latencies in ms. An interval is {intervalSeconds} s; events shorter than about{' '}
            {Math.round(resolutionSeconds)} s are blurred here.
          </p>
        </>
      )}
    </PartPanel>
  )
}

function IntervalRow({ interval, zone }: { readonly interval: Interval; readonly zone: Zone }) {
  const { at, good, bad, successRatio, minSeconds, maxSeconds, change, changeRatio } = interval
  const idle = good === null || good + (bad ?? 0) === 0
  const size = changeRatio === null ? '' : printed(ratio(changeRatio))
  return (
    <tr data-marked={change.startsWith('+')}>
      <th scope="row">{clock(at, zone, true)}</th>
      <td>{good === null ? 'no traffic' : `${shortCount(good)}/${shortCount(bad ?? 0)}`}</td>
      <td>{successRatio === null ? '' : printed(success(successRatio, bad))}</td>
      <td>{idle ? '' : ms(minSeconds)}</td>
      {PERCENTILES.map((name) => (
        <td key={name}>{ms(interval[name])}</td>
      ))}
      <td>{idle ? '' : maxSeconds === null ? 'off scale' : ms(maxSeconds)}</td>
      <td title={size === '' ? undefined : `p99 ${size} the median of the intervals before`}>
        <span aria-hidden="true">{change.replaceAll('-', MINUS)}</span>
        <span className="sr-only">{change === '' ? '' : `changed ${size}`}</span>
      </td>
    </tr>
  )
}

/** In seconds, as measured. */
function tableOfIntervals({ intervals }: Intervals): TableData {
  return {
    head: [
      'time',
      'good',
      'bad',
      'min_seconds',
      ...PERCENTILES.map((name) => `${name}_seconds`),
      'max_seconds',
      'change',
    ],
    rows: intervals.map((interval) => [
      interval.at,
      interval.good,
      interval.bad,
      interval.minSeconds,
      ...PERCENTILES.map((name) => interval[name]),
      interval.maxSeconds,
      interval.change,
    ]),
  }
}

function ms(seconds: number | null): string {
  if (seconds === null) return ''
  const value = seconds * 1000
  return value < 10
    ? String(Number(value.toFixed(1)))
    : value < 1e5
      ? String(Math.round(value))
      : printed(latencyBound(seconds))
}
