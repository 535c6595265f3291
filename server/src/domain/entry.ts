import type { Assessed } from './assess.ts'
import type { Decomposition } from './decomposition.ts'
import { decomposeFailures, type FailingCall, type FailureGraph, failureNet } from './failures.ts'
import type { FlowNet } from './flow-net.ts'
import { guessesOf } from './guess.ts'
import { decomposeDelta } from './own-time.ts'
import { calleeIds, countsNothing, group, type Situation } from './situation.ts'

/** One affected workload that nobody affected calls, and what its trouble consists of. */
export interface Entry {
  readonly id: string
  readonly trouble: 'latency' | 'failures'
  readonly totalSeconds: number
  /** Of the change of its mean, or of its failures. */
  readonly decomposition: Decomposition
}

/**
 * Where trouble is felt first: affected workloads that no affected workload calls. An ingress only passes on what
 * lies behind it, so it is an entry only where nothing behind it is affected.
 */
export function entriesOf(situation: Situation, affected: readonly Assessed[]): string[] {
  const ids = new Set(affected.map((workload) => workload.id))
  const doors = situation.stitched.ingressIds
  const inner = affected.filter((workload) => !doors.has(workload.id))
  const entries = inner.filter((workload) => {
    const callers = (situation.callersOf.get(workload.id) ?? []).map(({ edge }) => edge)
    return !callers.some(
      (edge) =>
        edge.from !== workload.id && edge.confidence !== 'dotted' && ids.has(edge.from) && !doors.has(edge.from),
    )
  })
  // A ring of affected workloads has no first one: where no entry leads to it, take them all rather than none.
  const led = reach(situation, idsOf(entries))
  const chosen = [...entries, ...inner.filter(({ id }) => !led.has(id))]
  const reached = reach(situation, idsOf(chosen))
  const loneDoors = affected.filter((workload) => {
    if (!doors.has(workload.id) || reached.has(workload.id)) return false
    return !calleeIds(situation, workload.id).some((id) => ids.has(id))
  })
  return idsOf([...chosen, ...loneDoors])
}

const idsOf = (workloads: readonly Assessed[]) => workloads.map(({ id }) => id)

function reach(situation: Situation, from: readonly string[]): Set<string> {
  const seen = new Set(from)
  const work = [...from]
  for (let id = work.pop(); id !== undefined; id = work.pop()) {
    for (const next of calleeIds(situation, id)) {
      if (seen.has(next)) continue
      seen.add(next)
      work.push(next)
    }
  }
  return seen
}

export function entryFor(situation: Situation, id: string, asked: boolean): Entry | undefined {
  const workload = situation.assessment.workloads.get(id)
  if (workload === undefined) return undefined
  const { trouble } = workload
  const slow = trouble.latency !== 'none' || (asked && trouble.failures === 'none')
  if (slow) {
    const decomposition = decomposeDelta(situation.graph, id)
    if (decomposition === undefined) return undefined
    return { id, trouble: 'latency', totalSeconds: decomposition.totalSeconds, decomposition }
  }
  return failingEntry(situation, id)
}

/** Of a workload's failures, whether it is slow as well or not. */
export function failingEntry(situation: Situation, id: string): Entry | undefined {
  const { graph, net } = failuresOf(situation)
  const decomposition = decomposeFailures(graph, net, id)
  if (decomposition === undefined) return undefined
  return { id, trouble: 'failures', totalSeconds: decomposition.totalSeconds, decomposition }
}

const failures = new WeakMap<Situation, { graph: FailureGraph; net: FlowNet }>()

/** How failures pass through the whole picture, drawn up once for every entry. */
export function failuresOf(situation: Situation): { graph: FailureGraph; net: FlowNet } {
  let known = failures.get(situation)
  if (known === undefined) {
    const graph = failureGraph(situation, 'delta')
    known = { graph, net: failureNet(graph) }
    failures.set(situation, known)
  }
  return known
}

const valueGraphs = new WeakMap<Situation, FailureGraph>()

/** Failures as they are, not as more than usual; drawn up once for every page that asks. */
export function failuresNow(situation: Situation): FailureGraph {
  let known = valueGraphs.get(situation)
  if (known === undefined) {
    known = failureGraph(situation, 'value')
    valueGraphs.set(situation, known)
  }
  return known
}

/** Failures per second as they are (`value`), or as more than usual (`delta`, never below 0). */
function failureGraph(situation: Situation, of: 'value' | 'delta'): FailureGraph {
  const guessed = guessesOf([...situation.edges, ...situation.guesses])
  const guesses = group(situation.guesses, ({ edge }) => edge.from)
  const rise = (now: number | null, usual: number | null) =>
    of === 'value' ? (now ?? 0) : Math.max(0, (now ?? 0) - (usual ?? 0))
  return {
    nodes: [...new Set([...situation.assessment.workloads.keys(), ...situation.callsOf.keys()])],
    inbound(id) {
      const workload = situation.assessment.workloads.get(id)
      if (workload === undefined || workload.stale) return null
      return rise(workload.now.failuresPerSecond, workload.usual.failuresPerSecond)
    },
    calls(id) {
      return [...(situation.callsOf.get(id) ?? []), ...(guesses.get(id) ?? [])].map(({ edge, flows }) => {
        const rose = rise(flows.callerNow.failuresPerSecond, flows.callerUsual.failuresPerSecond)
        if (edge.confidence === 'dotted') {
          const { to, part } = guessed(edge)
          return { id: `${edge.id}?`, to, callerFailures: rose * part, calleeFailures: null }
        }
        const callee = situation.assessment.workloads.get(edge.to)
        const seen = callee !== undefined && !callee.stale
        return {
          id: edge.id,
          to: edge.to,
          callerFailures: rose,
          calleeFailures: seen ? rise(flows.calleeNow.failuresPerSecond, flows.calleeUsual.failuresPerSecond) : null,
          ...slownessOf(situation, callee),
        }
      })
    },
  }
}

/** Calls that time out fail because of what made the callee slow, wherever that is. */
function slownessOf({ graph }: Situation, callee: Assessed | undefined): Pick<FailingCall, 'slowedBy'> {
  if (callee === undefined || callee.stale) return {}
  const silent = countsNothing(callee)
  if (callee.trouble.latencySoon === 'none' && !silent) return {}
  // What its callers wait stands in for what it does not count.
  const parts = (decomposeDelta(graph, callee.id)?.contributions ?? []).filter(({ seconds }) => seconds > 0)
  const total = parts.reduce((sum, { seconds }) => sum + seconds, 0)
  // Nobody waits for it, and all who call it fail: it is not there, and that is its own.
  if (total <= 0) return silent ? { slowedBy: [{ kind: 'workload', id: callee.id, share: 1 }] } : {}
  return { slowedBy: parts.map(({ kind, id, seconds }) => ({ kind, id, share: seconds / total })) }
}
