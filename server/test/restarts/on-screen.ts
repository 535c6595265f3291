import type { Fleet, Golden, Topology } from '../../src/contract/index.ts'

/** What a viewer has before his eyes, by name; null: there is nothing in its place. */
export type OnScreen = ReadonlyMap<string, number | null>

/** The numbers of these workloads, what is usual for them, and how they went. */
export function inFleet({ workloads }: Fleet, ids: readonly string[]): OnScreen {
  const rows = ids.map((id) => [id, workloads.find((workload) => workload.id === id)] as const)
  return new Map(
    rows.flatMap(([id, row]) => [
      ...golden(`${id}, now`, row?.now),
      [`${id}, now: p99`, row?.now.latencySeconds.p99 ?? null],
      ...golden(`${id}, usual`, row?.usual),
      [`${id}, usual: p99`, row?.usual.latencySeconds.p99 ?? null],
      [`${id}, trend`, row?.trend.p99Seconds.findLast((point) => point !== null) ?? null],
    ]),
  )
}

/** The numbers of one edge as its caller sees it, and what is usual for it. Percentiles are for who looks closely. */
export function inTopology({ edges }: Topology, from: string, to: string): OnScreen {
  const edge = edges.find((one) => one.from === from && one.to === to)
  const id = `${from}~${to}`
  return new Map([...golden(`${id}, now`, edge?.caller), ...golden(`${id}, usual`, edge?.usual)])
}

function golden(name: string, numbers: Golden | null | undefined): [string, number | null][] {
  return [
    [`${name}: requests per second`, numbers?.requestsPerSecond ?? null],
    [`${name}: mean`, numbers?.latencySeconds.mean ?? null],
  ]
}
