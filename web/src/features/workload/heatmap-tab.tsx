import type { LatencyHeatmap } from '@goldseam/server/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { WorkloadAddress } from '../../api/queries.ts'
import { heatmapQuery } from '../../api/workload-parts.ts'
import { Heatmap } from '../../charts/heatmap.tsx'
import type { Zone } from '../../format/clock.ts'
import { bucketRange, latencyBound } from '../../format/latency.ts'
import { printed } from '../../format/quantity.ts'
import { perSecond } from '../../format/rate.ts'
import { momentsIn } from '../../format/stretch.ts'
import { useAsking } from '../../scope/use-asking.ts'
import { useScope } from '../../scope/use-scope.ts'
import { useWindow } from '../../scope/use-window.ts'
import { FigureDownload } from '../../ui/figure-download.tsx'
import type { TableData } from '../../ui/table-download.tsx'
import { useWidth } from '../../ui/use-width.ts'
import { PartPanel } from './part-panel.tsx'

const MOST_TICKS = 10

/** How many requests took how long: one bright cell high up is a stall that averages hide. */
export function HeatmapTab({ address }: { readonly address: WorkloadAddress }) {
  const query = useQuery(heatmapQuery(address, useAsking()))
  const { tz } = useScope()
  const { fromMs, toMs } = useWindow()
  const moment = momentsIn(fromMs, toMs, tz)
  return (
    <PartPanel
      title="Latency heatmap"
      about="requests per second in each latency bucket, log colour"
      query={query}
      download={{ file: 'goldseam-heatmap', table: tableOfHeat }}
    >
      {(heat) =>
        heat.boundsSeconds.length === 0 ? (
          <p className="muted">No latency buckets in this window.</p>
        ) : (
          <>
            <Drawn heat={heat} zone={tz} moment={moment} />
            <HeatTable heat={heat} moment={moment} />
          </>
        )
      }
    </PartPanel>
  )
}

type Moment = ReturnType<typeof momentsIn>

const print = (value: number) => printed(perSecond(value))

interface DrawnProps {
  readonly heat: LatencyHeatmap
  readonly zone: Zone
  readonly moment: Moment
}

function Drawn({ heat, zone, moment }: DrawnProps) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const { boundsSeconds, at, requestsPerSecond } = heat
  const drawn = useMemo(() => {
    const every = Math.ceil(boundsSeconds.length / MOST_TICKS)
    return {
      atMs: at.map((second) => second * 1000),
      rows: boundsSeconds.map((bound, index) => ({
        label: printed(bucketRange(boundsSeconds[index - 1] ?? 0, bound)),
        tick: bound !== null && index % every === 0 ? printed(latencyBound(bound)) : null,
      })),
    }
  }, [at, boundsSeconds])
  return (
    <>
      <FigureDownload
        file="goldseam-heatmap"
        title="Latency heatmap"
        note={`${summaryOf(heat, moment)}  Goldseam`}
        figure={() => ref.current}
      />
      <div ref={ref}>
        {width > 0 && (
          <Heatmap
            {...drawn}
            columns={requestsPerSecond}
            width={width}
            zone={zone}
            print={print}
            label={summaryOf(heat, moment)}
          />
        )}
      </div>
    </>
  )
}

/** The slowest bucket that was ever hit, and when: what one looks for in the picture. */
function summaryOf({ boundsSeconds, at, requestsPerSecond }: LatencyHeatmap, moment: Moment): string {
  const top = (column: readonly number[] | null) => column?.findLastIndex((value) => value > 0) ?? -1
  const highest = Math.max(...requestsPerSecond.map(top))
  const when = requestsPerSecond.findIndex((column) => top(column) === highest)
  const range = printed(bucketRange(boundsSeconds[highest - 1] ?? 0, boundsSeconds[highest] ?? null))
  return `Latency over time; the slowest bucket with requests is ${range}, first at ${moment((at[when] ?? 0) * 1000)}`
}

/** A row a bucket and instant, in base units; a column that was not measured has no value. */
function tableOfHeat({ boundsSeconds, at, requestsPerSecond }: LatencyHeatmap): TableData {
  return {
    head: ['time', 'bucket_up_to_seconds', 'requests_per_second'],
    rows: at.flatMap((second, column) =>
      boundsSeconds.map((bound, row) => [
        new Date(second * 1000).toISOString(),
        bound ?? '+Inf',
        requestsPerSecond[column]?.[row] ?? null,
      ]),
    ),
  }
}

const TABLE_COLUMNS = 12

/** The same as numbers: a dozen instants, slowest bucket on top. */
function HeatTable({ heat, moment }: Pick<DrawnProps, 'heat' | 'moment'>) {
  const { boundsSeconds, at, requestsPerSecond } = heat
  const every = Math.max(1, Math.ceil(at.length / TABLE_COLUMNS))
  const shown = at.flatMap((_, index) => ((at.length - 1 - index) % every === 0 ? [index] : []))
  return (
    <details>
      <summary>View as table</summary>
      <div className="interval-scroll">
        <table className="interval-log">
          <thead>
            <tr>
              <th scope="col">bucket</th>
              {shown.map((index) => (
                <th key={index} scope="col">
                  {moment((at[index] ?? 0) * 1000)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {boundsSeconds
              .map((bound, row) => ({ row, name: printed(bucketRange(boundsSeconds[row - 1] ?? 0, bound)) }))
              .reverse()
              .map(({ row, name }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  {shown.map((index) => {
                    const column = requestsPerSecond[index]
                    return <td key={index}>{column ? print(column[row] ?? 0) : '--'}</td>
                  })}
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
