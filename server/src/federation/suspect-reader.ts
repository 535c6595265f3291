import { parseWorkloadId } from '../domain/identity.ts'
import type { SuspectFacts } from '../domain/surroundings.ts'
import { flowAt } from '../domain/traffic.ts'
import { imageEvents, rolloutEvents } from './rollouts.ts'
import type { SideTask } from './side-tasks.ts'
import { kubeEvents, type PastOf, partsAxis, podEvents, podTraffics } from './workload-parts.ts'

/** As far back as an onset is worth an event. */
const SPAN_SECONDS = 2_700
const AGAIN_SECONDS = 30
const WINDOW_SECONDS = 60
/** Nobody reads the evidence of more. */
const MOST_SUSPECTS = 3

/** What happened to the pods of the workloads under suspicion: nobody else's are asked for. */
export class SuspectReader implements SideTask {
  readonly #reader: PastOf
  #suspects: readonly string[] = []
  readonly #known = new Map<string, SuspectFacts>()
  readonly #dueAtSeconds = new Map<string, number>()

  constructor(reader: PastOf) {
    this.#reader = reader
  }

  /** The suspects of the newest snapshot that are the cluster's. */
  suspect(ids: readonly string[]): void {
    const mine = ids.filter((id) => parseWorkloadId(id)?.cluster === this.#reader.name)
    this.#suspects = mine.slice(0, MOST_SUSPECTS)
    for (const id of this.#known.keys()) if (!this.#suspects.includes(id)) this.#known.delete(id)
  }

  dueAt(nowSeconds: number): number {
    return Math.min(...this.#suspects.map((id) => this.#dueOf(id, nowSeconds)))
  }

  /** What is due later than it can be is of a clock that was set back. */
  #dueOf(id: string, nowSeconds: number): number {
    const due = this.#dueAtSeconds.get(id) ?? 0
    return due - nowSeconds > AGAIN_SECONDS ? 0 : due
  }

  async run(nowSeconds: number, signal: AbortSignal): Promise<boolean> {
    const due = this.#suspects.find((id) => this.#dueOf(id, nowSeconds) <= nowSeconds)
    if (due === undefined) return false
    for (const [id, at] of this.#dueAtSeconds) if (at <= nowSeconds) this.#dueAtSeconds.delete(id)
    this.#dueAtSeconds.set(due, nowSeconds + AGAIN_SECONDS)
    const facts = await readFacts(this.#reader, due, nowSeconds, signal)
    if (facts !== null) this.#known.set(due, facts)
    return facts !== null
  }

  known(): ReadonlyMap<string, SuspectFacts> {
    return new Map(this.#known)
  }

  /** At an instant of the past, for the suspects of then. */
  async at(ids: readonly string[], atSeconds: number, signal: AbortSignal): Promise<ReadonlyMap<string, SuspectFacts>> {
    const mine = ids.filter((id) => parseWorkloadId(id)?.cluster === this.#reader.name).slice(0, MOST_SUSPECTS)
    const read = mine.map(async (id) => [id, await readFacts(this.#reader, id, atSeconds, signal)] as const)
    return new Map((await Promise.all(read)).flatMap(([id, facts]) => (facts === null ? [] : [[id, facts] as const])))
  }
}

async function readFacts(
  reader: PastOf,
  id: string,
  atSeconds: number,
  signal: AbortSignal,
): Promise<SuspectFacts | null> {
  const ref = parseWorkloadId(id)
  if (ref === undefined) return null
  const axis = partsAxis(atSeconds - SPAN_SECONDS, atSeconds, WINDOW_SECONDS)
  const [told, kube, images] = await Promise.all([
    podTraffics(reader, ref, { axis, windowSeconds: WINDOW_SECONDS }, signal),
    kubeEvents(reader, ref, axis, signal),
    imageEvents(reader, ref, axis, signal),
  ])
  if (told.gaps.length > 0) return null
  const pods = told.pods.flatMap(({ name, traffic }) => {
    const { requestsPerSecond, meanSeconds } = flowAt(traffic, axis.steps - 1)
    return requestsPerSecond === null ? [] : [{ name, requestsPerSecond, meanSeconds }]
  })
  const rollouts = [...rolloutEvents(told.pods, ref.name, { axis }), ...images]
  const events = [...rollouts, ...(kube ?? []), ...podEvents(told.pods, axis)]
  return { events, kubeTold: kube !== null, pods: told.reason === null ? pods : null }
}
