import type { ClusterDetail, ClusterSeam, UpstreamRequest } from '../contract/index.ts'
import type { MeasuredEdge } from '../domain/graph-of.ts'
import type { Observation } from '../domain/observation.ts'
import type { Situation } from '../domain/situation.ts'
import type { ClusterReader } from '../federation/cluster-reader.ts'
import { time } from './present-golden.ts'
import { presentEdge } from './present-topology.ts'

/** The last hundred over all endpoints, newest first. */
const MOST_REQUESTS = 100

export function presentRequests(endpoints: ReturnType<ClusterReader['endpoints']>): UpstreamRequest[] {
  return endpoints
    .flatMap(({ url, log }) => log.recent().map((request) => ({ ...request, url })))
    .toSorted((a, b) => b.atSeconds - a.atSeconds)
    .slice(0, MOST_REQUESTS)
    .map(({ atSeconds, url, ...request }) => ({ at: time(atSeconds), endpoint: url, ...request }))
}

export function presentSeam(situation: Situation, measured: MeasuredEdge): ClusterSeam {
  const { from, to, rule, confidence, seenFrom, accountedRatio, caller, callee } = presentEdge(situation, measured)
  const requestsPerSecond = (caller ?? callee)?.requestsPerSecond ?? null
  return { from, to, rule, confidence, seenFrom, accountedRatio, requestsPerSecond }
}

export function presentRules(
  reader: ClusterReader | undefined,
  windowSeconds: number,
): ClusterDetail['recordingRules'] {
  const use = reader?.detection.recordedUse(windowSeconds) ?? null
  if (reader === undefined || use === null) return null
  const shown = ({ sinceSeconds, ...lane }: (typeof use.lanes)[number]) => ({ ...lane, since: time(sinceSeconds) })
  return {
    windowSeconds,
    lanes: use.lanes.map(shown),
    overOthers: use.overOthers.map(shown),
    recorded: [...use.recorded],
    empty: [...use.empty],
    outdated: [...use.outdated],
    peers: [...reader.detection.peers()],
  }
}

const MOST_LAYOUTS = 5

/** In which buckets latencies are counted, and by how many workloads. */
export function bucketLayouts(now: Observation | null | undefined): ClusterDetail['bucketLayouts'] {
  const layouts = new Map<string, { boundsSeconds: number[]; workloads: number }>()
  for (const { total } of now?.inbound.values() ?? []) {
    const boundsSeconds = [...total.buckets]
      .map(([bound]) => bound)
      .filter(Number.isFinite)
      .sort((a, b) => a - b)
    if (boundsSeconds.length === 0) continue
    const key = boundsSeconds.join(' ')
    const layout = layouts.get(key) ?? { boundsSeconds, workloads: 0 }
    layout.workloads += 1
    layouts.set(key, layout)
  }
  return [...layouts.values()].sort((a, b) => b.workloads - a.workloads).slice(0, MOST_LAYOUTS)
}
