import type { Pod, Pods } from '@goldseam/server/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { WorkloadAddress } from '../../api/queries.ts'
import { podsQuery } from '../../api/workload-parts.ts'
import { type Domain, logPosition, sharedLogDomain } from '../../charts/scales.ts'
import { Sparkline } from '../../charts/sparkline.tsx'
import { plural } from '../../format/age.ts'
import { latency } from '../../format/latency.ts'
import { printed } from '../../format/quantity.ts'
import { perSecond } from '../../format/rate.ts'
import { keepScope } from '../../scope/scope-search.ts'
import type { SearchText } from '../../scope/search-codec.ts'
import { useAsking } from '../../scope/use-asking.ts'
import { Metric } from '../../ui/metric.tsx'
import type { TableData } from '../../ui/table-download.tsx'
import { useWidth } from '../../ui/use-width.ts'
import { PartPanel } from './part-panel.tsx'

/** Above this the busiest pod has so much more to do that it is worth a word. */
const UNEVEN = 1.5
/** And so often a swap of places is no accident. */
const FLAPPING = 1

interface PodsTabProps {
  readonly address: WorkloadAddress
  readonly id: string
}

/** Each pod in its fixed place: whether one is slow, busy or flapping. */
export function PodsTab({ address, id }: PodsTabProps) {
  const query = useQuery(podsQuery(address, useAsking()))
  return (
    <PartPanel
      title="Pods"
      about="one dot a pod, on one axis; the table keeps them by name"
      query={query}
      download={{ file: 'goldseam-pods', table: tableOfPods }}
    >
      {(answer) =>
        answer.pods.length === 0 ? (
          <p className="muted">{answer.reason ?? 'No pod of it reports in this window.'}</p>
        ) : (
          <Drawn answer={answer} id={id} />
        )
      }
    </PartPanel>
  )
}

function Drawn({ answer, id }: { readonly answer: Pods; readonly id: string }) {
  const { pods, maxOverMedian, rankChangesPerMinute } = answer
  const [of, setOf] = useState<'rps' | 'p99'>('rps')
  const domain = useMemo(() => sharedLogDomain(pods.map(({ trend }) => trend)), [pods])
  const versions = [...new Set(pods.flatMap(({ version }) => version ?? []))]
  return (
    <>
      <div className="pod-facts">
        <fieldset className="facets" aria-label="What the dots show">
          {(['rps', 'p99'] as const).map((name) => (
            <button key={name} type="button" className="facet" aria-pressed={of === name} onClick={() => setOf(name)}>
              {name}
            </button>
          ))}
        </fieldset>
        <span>{plural(pods.length, 'pod')}</span>
        {maxOverMedian !== null && (
          <span>
            busiest against the middle one <Metric kind="ratio" value={maxOverMedian} label="max over median" />
            {maxOverMedian >= UNEVEN && <b> uneven</b>}
          </span>
        )}
        {rankChangesPerMinute !== null && (
          <span>
            {rankChangesPerMinute.toFixed(1)} rank changes a minute
            {rankChangesPerMinute >= FLAPPING && <b>, flapping</b>}
          </span>
        )}
        {versions.length > 1 && (
          <Link
            to="/compare"
            search={(previous: SearchText) => ({
              ...keepScope(previous),
              a: `${id}@v:${versions[0]}`,
              b: `${id}@v:${versions[1]}`,
            })}
          >
            compare versions {versions[0]} and {versions[1]}
          </Link>
        )}
      </div>
      <Strip pods={pods} of={of} />
      <table className="plain-table">
        <caption className="sr-only">Pods by name</caption>
        <thead>
          <tr>
            {['Pod', 'Version', 'RPS', 'Success', 'p50', 'p99', 'RPS over time'].map((title) => (
              <th key={title} scope="col" className={/RPS$|Success|p\d/.test(title) ? 'number' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pods.map((pod) => (
            <PodRow key={pod.name} pod={pod} domain={domain} />
          ))}
        </tbody>
      </table>
    </>
  )
}

function PodRow({
  pod: { name, version, now, truths, bounds, trend },
  domain,
}: {
  readonly pod: Pod
  readonly domain: Domain
}) {
  const counted = { sampleCount: now.sampleCount }
  return (
    <tr>
      <th scope="row" data-label="Pod">
        {name}
      </th>
      <td data-label="Version">{version ?? '--'}</td>
      <td className="number" data-label="RPS">
        <Metric kind="rate" value={now.requestsPerSecond} truth={truths.requestsPerSecond} label="rate" />
      </td>
      <td className="number" data-label="Success">
        <Metric kind="success" value={now.successRatio} truth={truths.successRatio} label="success" {...counted} />
      </td>
      {(['p50', 'p99'] as const).map((percentile) => (
        <td key={percentile} className="number" data-label={percentile}>
          <Metric
            kind="latency"
            value={now.latencySeconds[percentile]}
            truth={truths[percentile]}
            bucket={bounds[percentile]}
            label={percentile}
            {...counted}
          />
        </td>
      ))}
      <td data-label="RPS over time">
        <Sparkline
          values={trend}
          usual={null}
          domain={domain}
          tone="none"
          label={`Requests per second of ${name} over time`}
        />
      </td>
    </tr>
  )
}

/** In base units; a pod that has no value has none in the file either. */
function tableOfPods({ pods }: Pods): TableData {
  return {
    head: ['pod', 'version', 'requests_per_second', 'success_ratio', 'mean_seconds', 'p50_seconds', 'p99_seconds'],
    rows: pods.map(({ name, version, now: { requestsPerSecond, successRatio, latencySeconds } }) => [
      name,
      version,
      requestsPerSecond,
      successRatio,
      latencySeconds.mean,
      latencySeconds.p50,
      latencySeconds.p99,
    ]),
  }
}

const HEIGHT = 64
const INSET = 14

function Strip({ pods, of }: { readonly pods: readonly Pod[]; readonly of: 'rps' | 'p99' }) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const read = pods.flatMap(({ name, now }) => {
    const value = of === 'rps' ? now.requestsPerSecond : now.latencySeconds.p99
    return value === null || value <= 0 ? [] : [{ name, value }]
  })
  const values = read.map(({ value }) => value).sort((a, b) => a - b)
  const median = values[Math.floor((values.length - 1) / 2)]
  const domain = sharedLogDomain([values])
  const xOf = (value: number) => INSET + logPosition(value, domain) * (width - 2 * INSET)
  const print = (value: number) => printed(of === 'rps' ? perSecond(value) : latency(value))
  return (
    <div ref={ref}>
      {width > 0 && median !== undefined && (
        <svg
          className="pod-strip"
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={`${of} of ${read.length} pods, from ${print(values[0] ?? 0)} to ${print(values.at(-1) ?? 0)}, the middle one ${print(median)}`}
        >
          <path d={`M${INSET} 40H${width - INSET}`} stroke="var(--line)" />
          <path className="pod-median" d={`M${xOf(median)} 14V50`} />
          <text x={xOf(median)} y={10} textAnchor="middle">
            median {print(median)}
          </text>
          {read.map(({ name, value }, index) => (
            <circle key={name} cx={xOf(value)} cy={40 - ((index % 3) - 1) * 7} r="5">
              <title>
                {name}: {print(value)}
              </title>
            </circle>
          ))}
          <text x={INSET} y={62}>
            {print(domain[0])}
          </text>
          <text x={width - INSET} y={62} textAnchor="end">
            {print(domain[1])}
          </text>
        </svg>
      )}
    </div>
  )
}
