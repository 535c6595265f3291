import { setImmediate } from 'node:timers/promises'
import type { Failover, FailoverRow, Outlooks, Scope, Carried as ShownCarried } from '../contract/index.ts'
import type { Carried } from '../domain/failover/carried.ts'
import { failOver, gaining, type LandingRow } from '../domain/failover/fail-over.ts'
import { landingsWithout } from '../domain/failover/landing.ts'
import { type Outlook, outlookOf } from '../domain/failover/overview.ts'
import { pictureOf } from '../domain/failover/picture.ts'
import type { Split } from '../domain/failover/routing.ts'
import type { GroupWanted } from '../domain/group.ts'
import { CarriedReader } from '../federation/carried-reader.ts'
import type { SnapshotEngine } from '../federation/engine.ts'
import type { Snapshot } from '../federation/snapshot.ts'
import { type Handlers, invalidRequest } from './mount.ts'
import { time } from './present-golden.ts'
import { presentGap, presentHead } from './present-head.ts'
import type { ResolvedScope } from './scope-of.ts'

const DEFAULT_DAYS = 7

interface FailoverDeps {
  readonly engine: SnapshotEngine
  readonly groups: readonly GroupWanted[]
  readonly take: (query: Scope, signal: AbortSignal) => Promise<{ scope: ResolvedScope; taken: Snapshot }>
}

/** What lands where if a cluster goes. */
export function failoverHandler({ engine, groups, take }: FailoverDeps): Pick<Handlers, 'failover' | 'outlooks'> {
  const reader = new CarriedReader(engine.goals)
  return {
    async failover({ query, signal }): Promise<Failover> {
      const { taken } = await take(query, signal)
      const { cluster, days = DEFAULT_DAYS } = query
      const names = taken.clusters.map(({ name }) => name)
      known(cluster, names, 'cluster')
      const split = splitOf(query.split)
      for (const name of split?.keys() ?? []) known(name, names, 'split')
      if (split?.has(cluster)) throw problem('split', `${cluster} is the cluster that is taken to be gone`)
      const landings = landingsWithout(pictureOf(taken.situation, groups), cluster, split)
      const left = engine.readers.filter(({ name }) => name !== cluster)
      const asked = { days, atSeconds: taken.atSeconds }
      const { carried, gaps, left: unasked } = await reader.read(left, gaining(landings), asked, signal)
      const { rows, ...answer } = failOver(cluster, landings, carried, asked)
      const head = presentHead(taken)
      return {
        ...head,
        gaps: [...head.gaps, ...gaps.map(presentGap)],
        ...answer,
        days,
        split: split === null ? null : shares(split),
        rows: rows.map(presentRow),
        nowhere: answer.nowhere.map((one) => ({ ...one, callers: [...one.callers], elsewhere: [...one.elsewhere] })),
        notes: notesOf(taken, cluster, unasked),
      }
    },

    async outlooks({ query, signal }): Promise<Outlooks> {
      const { taken } = await take(query, signal)
      const picture = pictureOf(taken.situation, groups)
      const names = taken.clusters.map(({ name }) => name)
      const found: Outlook[] = []
      for (const cluster of names.slice(0, MOST_OUTLOOKS)) {
        found.push(outlookOf(cluster, landingsWithout(picture, cluster, null), picture.doors))
        // Large fleets take a while for each: others are to be answered in between.
        await setImmediate(undefined, { signal })
      }
      return { ...presentHead(taken), outlooks: found.map(presentOutlook), left: names.slice(MOST_OUTLOOKS) }
    },
  }
}

const MOST_OUTLOOKS = 24
const MOST_NAMED = 5

function presentOutlook({ lands, nowhere, ...outlook }: Outlook): Outlooks['outlooks'][number] {
  const { requestsPerSecond, ids } = nowhere
  return {
    ...outlook,
    lands: [...lands],
    nowhere: { requestsPerSecond, workloads: ids.length, ids: ids.slice(0, MOST_NAMED) },
  }
}

function notesOf({ situation, clusters }: Snapshot, cluster: string, unasked: number): string[] {
  const silent = [...situation.clusters.values()].filter(({ name, state }) => name !== cluster && state !== 'current')
  const gone = situation.clusters.get(cluster)?.state !== 'current'
  const guessed = situation.edges.filter(({ edge }) => edge.confidence === 'dotted').length
  return [
    'Rates only: retries, timeouts and what a slower answer does to its callers are left out.',
    ...(clusters.length < 2 ? ['There is no other cluster.'] : []),
    ...(gone ? [`${cluster} does not answer: its rates are the last that are known.`] : []),
    ...silent.map(({ name }) => `${name} does not answer: what it would get is not known.`),
    ...(guessed > 0 ? [`${guessed} joins are guesses: their requests count as coming from outside.`] : []),
    ...(unasked > 0 ? [`${unasked} workloads that get little more were not looked up.`] : []),
  ]
}

function presentRow({ carried, assumedEven, assumedCalls, ...row }: LandingRow): FailoverRow {
  const kept = carried?.kept ?? null
  return {
    id: row.id,
    now: row.now,
    after: row.after,
    direct: row.direct,
    passedOn: row.passedOn,
    insteadOf: [...row.insteadOf],
    assumed: [
      ...(assumedEven ? ['nobody asks it or its like elsewhere now: shared evenly'] : []),
      ...(assumedCalls ? ['it is not asked now: taken to call whom the lost one calls'] : []),
    ],
    carried: carried === null ? null : presentCarried(carried),
    ratio: kept === null || kept.requestsPerSecond <= 0 ? null : row.after / kept.requestsPerSecond,
    verdict: row.verdict,
    text: row.text,
  }
}

function presentCarried({ kept, broke, stepSeconds, judgedSteps, heldTo, goals }: Carried): ShownCarried {
  return {
    kept: kept === null ? null : { requestsPerSecond: kept.requestsPerSecond, at: time(kept.atSeconds) },
    broke:
      broke === null ? null : { requestsPerSecond: broke.requestsPerSecond, at: time(broke.atSeconds), why: broke.why },
    stepSeconds,
    judgedSeconds: judgedSteps * stepSeconds,
    heldTo,
    goals,
  }
}

/** `east:70,north:30`; the contract has seen to its form. */
function splitOf(text: string | undefined): Split | null {
  if (text === undefined) return null
  const weights = text.split(',').map((part): [string, number] => {
    const colon = part.lastIndexOf(':')
    return [part.slice(0, colon), Number(part.slice(colon + 1))]
  })
  if (!weights.some(([, weight]) => weight > 0)) throw problem('split', 'no cluster gets anything')
  return new Map(weights)
}

function shares(split: Split): { cluster: string; share: number }[] {
  const total = [...split.values()].reduce((sum, weight) => sum + weight, 0)
  return [...split].map(([cluster, weight]) => ({ cluster, share: weight / total }))
}

function known(cluster: string, names: readonly string[], pointer: string): void {
  if (!names.includes(cluster))
    throw problem(pointer, `cluster ${cluster} is not configured here (known: ${names.join(', ')})`)
}

function problem(pointer: string, detail: string) {
  return invalidRequest([{ pointer: `/query/${pointer}`, detail }])
}
