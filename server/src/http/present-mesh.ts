import type { Limit, Mesh, Route, Signal, Tcp } from '../contract/index.ts'
import { valueAt } from '../domain/columns.ts'
import { readGolden } from '../domain/golden.ts'
import { workloadId } from '../domain/identity.ts'
import type { Tcp as Bytes, Observation } from '../domain/observation.ts'
import { SIGNALS, type Signals } from '../domain/signals.ts'
import { flowAt, isCounted } from '../domain/traffic.ts'
import type { Speaks } from '../federation/snapshot.ts'

export function presentTcp(tcp: Bytes | null | undefined): Tcp | null {
  if (!tcp) return null
  const open = valueAt(tcp.openConnections, 0)
  return {
    bytesPerSecondIn: valueAt(tcp.bytesIn, 0),
    bytesPerSecondOut: valueAt(tcp.bytesOut, 0),
    // A difference of counters falls below zero when only one of them has started anew.
    openConnections: open === null || open < 0 ? null : open,
  }
}

/** Facts that are worth a word: what is zero is not, except where zero is the news. */
export function presentSignals(signals: Signals | undefined): Signal[] {
  return [...(signals ?? [])].flatMap(([name, column]) => {
    const value = valueAt(column, 0)
    if (value === null || (value === 0 && !ZERO_IS_NEWS.has(name))) return []
    return [{ name, value, text: `${printed(name, value)} ${SIGNALS[name]}` }]
  })
}

const ZERO_IS_NEWS: ReadonlySet<string> = new Set(['endpointsReady', 'breakerHeadroom'])

function printed(name: string, value: number): string {
  const digits = String(Number(value.toPrecision(3)))
  return name.endsWith('PerSecond') ? `${digits}/s` : digits
}

export function presentRoutes(observation: Observation | null | undefined, id: string, windowSeconds: number): Route[] {
  return [...(observation?.routes.values() ?? [])].flatMap(
    ({ workload, direction, service, route, effective, actual }) => {
      if (workloadId(workload) !== id) return []
      const golden = (traffic: typeof effective) =>
        readGolden(flowAt(traffic, 0), { windowSeconds, seen: true, stale: false }).golden
      return [
        { direction, service, route, effective: golden(effective), actual: isCounted(actual) ? golden(actual) : null },
      ]
    },
  )
}

export function presentMeshes(speaks: readonly Speaks[], now: Observation | null | undefined): Mesh[] {
  const seen = [...(now?.inbound.values() ?? [])].map(({ seenBy }) => seenBy)
  return speaks.map(({ name }) => ({
    name,
    workloads: seen.filter(([first]) => first === name).length,
    alsoSeen: seen.filter(([, ...others]) => others.includes(name)).length,
    limits: presentLimits(speaks, name),
  }))
}

export function presentLimits(speaks: readonly Speaks[], dialect: string | undefined): Limit[] {
  return speaks.filter(({ name }) => name === dialect).flatMap(({ limits }) => limits.map((limit) => ({ ...limit })))
}
