import type { LatencyHeatmap, Scope } from '../contract/index.ts'
import type { Assessed } from '../domain/assess.ts'
import { instantOf } from '../domain/baseline.ts'
import { readGolden } from '../domain/golden.ts'
import { intervalsOf } from '../domain/intervals.ts'
import { latencyGrid } from '../domain/latency-grid.ts'
import { maxOverMedian, rankChangesPerMinute, versionOf } from '../domain/pod-balance.ts'
import { flowAt, requestsAt } from '../domain/traffic.ts'
import { offSince } from '../domain/trouble.ts'
import type { ClusterReader } from '../federation/cluster-reader.ts'
import type { SnapshotEngine } from '../federation/engine.ts'
import { imageEvents, rolloutEvents } from '../federation/rollouts.ts'
import type { Snapshot } from '../federation/snapshot.ts'
import {
  INTERVALS_SHOWN,
  intervalAxis,
  kubeEvents,
  partsAxis,
  podEvents,
  podTraffics,
  workloadTraffic,
} from '../federation/workload-parts.ts'
import { allWithDigits, withDigits } from './digits.ts'
import { knownWorkload } from './known-workload.ts'
import type { HandlerRequest, Handlers } from './mount.ts'
import { time } from './present-golden.ts'
import { presentGap, presentHead } from './present-head.ts'
import type { ResolvedScope } from './scope-of.ts'

const DIGITS = 6

export interface PartsDeps {
  readonly engine: SnapshotEngine
  readonly take: (query: Scope, signal: AbortSignal) => Promise<{ scope: ResolvedScope; taken: Snapshot }>
}

/** What a part is made from: the workload in the snapshot, and the cluster to ask. */
interface Asked {
  readonly taken: Snapshot
  readonly workload: Assessed
  readonly reader: ClusterReader
  /** Unix seconds. */
  readonly fromSeconds: number
  readonly toSeconds: number
}

/** The parts of a workload's page that are asked for only when somebody opens them. */
export function workloadParts({
  engine,
  take,
}: PartsDeps): Pick<Handlers, 'heatmap' | 'intervals' | 'pods' | 'events' | 'queries'> {
  async function asked({ params, query, signal }: HandlerRequest<Scope>): Promise<Asked> {
    const { scope, taken } = await take(query, signal)
    const workload = knownWorkload(taken, `${params.cluster}/${params.namespace}/${params.name}`)
    const reader = engine.readers.find(({ name }) => name === workload.ref.cluster)
    // It stands in the snapshot, so its cluster was read; it may have gone since.
    if (reader === undefined) throw new Error(`no reader for ${workload.ref.cluster}`)
    const toSeconds = Math.min(scope.toSeconds, taken.atSeconds)
    return { taken, workload, reader, fromSeconds: Math.min(scope.fromSeconds, toSeconds - 60), toSeconds }
  }
  const withGaps = (taken: Snapshot, gaps: readonly Snapshot['gaps'][number][]) => {
    const head = presentHead(taken)
    return { ...head, gaps: [...head.gaps, ...gaps.map(presentGap)] }
  }
  return {
    async heatmap(request): Promise<LatencyHeatmap> {
      const { taken, workload, reader, fromSeconds, toSeconds } = await asked(request)
      const axis = partsAxis(fromSeconds, toSeconds, taken.windowSeconds)
      const stretch = { axis, windowSeconds: Math.max(taken.windowSeconds, axis.stepSeconds) }
      const { traffic, gaps } = await workloadTraffic(reader, workload.ref, workload.id, stretch, request.signal)
      const { bounds, columns } = latencyGrid(traffic, axis.steps)
      return {
        ...withGaps(taken, gaps),
        id: workload.id,
        stepSeconds: axis.stepSeconds,
        at: columns.map((_, step) => instantOf(axis, step)),
        boundsSeconds: bounds.map((bound) => (Number.isFinite(bound) ? bound : null)),
        requestsPerSecond: columns.map((column) => column?.map((value) => withDigits(value, DIGITS)) ?? null),
      }
    },

    async intervals(request) {
      const { taken, workload, reader, toSeconds } = await asked(request)
      const axis = intervalAxis(toSeconds, reader.scrapeIntervalSeconds)
      const stretch = { axis, windowSeconds: axis.stepSeconds }
      const { traffic, gaps } = await workloadTraffic(reader, workload.ref, workload.id, stretch, request.signal)
      const log = intervalsOf(traffic, axis.steps, axis.stepSeconds).slice(-INTERVALS_SHOWN).reverse()
      return {
        ...withGaps(taken, gaps),
        id: workload.id,
        intervalSeconds: axis.stepSeconds,
        resolutionSeconds: 2 * (reader.scrapeIntervalSeconds ?? axis.stepSeconds / 2),
        intervals: log.map(({ step, golden, ...interval }) => {
          const { mean: _mean, ...percentiles } = golden.latencySeconds
          return {
            at: time(instantOf(axis, step)),
            ...allWithDigits({ ...percentiles, successRatio: golden.successRatio }, DIGITS),
            ...allWithDigits(interval, DIGITS),
          }
        }),
      }
    },

    async pods(request) {
      const { taken, workload, reader, fromSeconds, toSeconds } = await asked(request)
      const axis = partsAxis(fromSeconds, toSeconds, taken.windowSeconds)
      const { windowSeconds } = taken
      const { pods, reason, gaps } = await podTraffics(reader, workload.ref, { axis, windowSeconds }, request.signal)
      const last = axis.steps - 1
      const present = pods.filter(({ traffic }) => requestsAt(traffic, last) !== null)
      const loads = present.map(({ traffic }) =>
        Float64Array.from({ length: axis.steps }, (_, step) => requestsAt(traffic, step) ?? Number.NaN),
      )
      const shown = present.map(({ name, traffic }) => {
        const reading = readGolden(flowAt(traffic, last), { windowSeconds, seen: true, stale: false })
        return {
          name,
          version: versionOf(name, workload.ref.name),
          now: allWithDigits(reading.golden, DIGITS),
          truths: reading.truths,
          bounds: reading.bounds,
          trend: Array.from({ length: axis.steps }, (_, step) => {
            const rate = requestsAt(traffic, step)
            return rate === null ? null : withDigits(rate, 4)
          }),
        }
      })
      return {
        ...withGaps(taken, gaps),
        id: workload.id,
        pods: shown,
        at: Array.from({ length: axis.steps }, (_, step) => instantOf(axis, step)),
        maxOverMedian: maxOverMedian(present.flatMap(({ traffic }) => requestsAt(traffic, last) ?? [])),
        rankChangesPerMinute: rankChangesPerMinute(loads, axis.stepSeconds),
        reason,
      }
    },

    async events(request) {
      const { taken, workload, reader, fromSeconds, toSeconds } = await asked(request)
      const { ref, id, trouble } = workload
      const axis = partsAxis(fromSeconds, toSeconds, taken.windowSeconds)
      const [told, kube, images] = await Promise.all([
        podTraffics(reader, ref, { axis, windowSeconds: taken.windowSeconds }, request.signal),
        kubeEvents(reader, ref, axis, request.signal),
        imageEvents(reader, ref, axis, request.signal),
      ])
      const onset = offSince(trouble)
      const events = [
        ...rolloutEvents(told.pods, ref.name, { axis }),
        ...images,
        ...podEvents(told.pods, axis),
        ...(kube ?? []),
        ...(onset === null || onset < fromSeconds
          ? []
          : [{ atSeconds: onset, kind: 'onset' as const, text: 'left its usual range' }]),
      ].sort((a, b) => b.atSeconds - a.atSeconds)
      return {
        ...withGaps(taken, told.gaps),
        id,
        events: events.map(({ atSeconds, kind, text }) => ({ at: time(atSeconds), kind, text })),
        missing: [
          ...(told.reason === null ? [] : [`pods that came and went: ${told.reason}`]),
          ...(kube === null ? ['restarts and replicas: no kube-state-metrics for it here'] : []),
        ],
        maxOverMedian: maxOverMedian(told.pods.flatMap(({ traffic }) => requestsAt(traffic, axis.steps - 1) ?? [])),
      }
    },

    async queries(request) {
      const { taken, workload, reader } = await asked(request)
      const { ref, id } = workload
      const queries = await reader.past.asked(ref, taken.windowSeconds, taken.atSeconds, request.signal)
      return {
        ...presentHead(taken),
        id,
        queries: queries.map((query) => ({ ...query, cluster: ref.cluster, seconds: withDigits(query.seconds, 3) })),
      }
    },
  }
}
