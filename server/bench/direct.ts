import { type Answered, askAll, movedTo } from './ask.ts'
import { type Bench, quiet } from './bench.ts'
import type { AskedQuery } from './query-log.ts'
import type { Goldseam } from './servers.ts'

/** What a bare client got, and what it cost. */
export interface Direct extends Answered {
  /** Of all Prometheus. */
  readonly cpuSeconds: number
}

/** The queries of all clusters at once, one list a cluster, as of now, after all servers came to rest. */
export async function askDirectly(
  { agent, fleet }: Bench,
  goldseam: Goldseam | null,
  queries: readonly (readonly AskedQuery[])[],
): Promise<Direct> {
  await quiet(fleet, goldseam)
  const before = fleet.cpuSeconds()
  const at = instant()
  const asked = fleet.all.map(({ url }, index) => ({
    url,
    queries: (queries[index] ?? []).map((query) => movedTo(query, at)),
  }))
  const answered = await askAll(agent, asked)
  return { ...answered, cpuSeconds: fleet.cpuSeconds() - before }
}

/** As Goldseam aligns its own. */
export function instant(): number {
  return Math.floor((Date.now() / 1_000 - 2) / 5) * 5
}

export function instantQuery(promql: string): AskedQuery {
  const at = instant()
  return { promql, fromSeconds: at, toSeconds: at, stepSeconds: 0 }
}
