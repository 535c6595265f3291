import type { Intervals } from '@goldseam/server/contract'
import { useQuery } from '@tanstack/react-query'
import type { WorkloadAddress } from '../../api/queries.ts'
import { intervalsQuery } from '../../api/workload-parts.ts'
import { momentsIn } from '../../format/stretch.ts'
import { useAsking } from '../../scope/use-asking.ts'
import { useScope } from '../../scope/use-scope.ts'
import { useWindow } from '../../scope/use-window.ts'
import type { TableData } from '../../ui/table-download.tsx'
import { IntervalRow, PERCENTILES } from './interval-row.tsx'
import { PartPanel } from './part-panel.tsx'

/** Interval by interval, newest first, as slow_cooker prints them: a stall is a row with signs. */
export function IntervalsTab({ address }: { readonly address: WorkloadAddress }) {
  const query = useQuery(intervalsQuery(address, useAsking()))
  const { tz } = useScope()
  const { fromMs, toMs } = useWindow()
  const moment = momentsIn(fromMs, toMs, tz)
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
                  <IntervalRow key={interval.at} interval={interval} moment={moment} />
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
