import type { Chance } from './random.ts'
import type { SimCall, SimWorkload } from './types.ts'

/** Who calls whom: everybody but the fronts is called from a layer above, mostly within the cluster. */
export function drawCalls(
  chance: Chance,
  workloads: readonly SimWorkload[],
  layers: readonly number[],
  doors: ReadonlyMap<number, number>,
): SimCall[] {
  const pairs = new Map<string, { from: number; to: number; back: boolean }>()
  const join = (from: number, to: number, back = false) => {
    const key = `${from}~${to}`
    if (from !== to && !pairs.has(key)) pairs.set(key, { from, to, back })
  }
  const near = (to: SimWorkload, above: readonly SimWorkload[]) => {
    const same = above.filter(({ cluster }) => cluster === to.cluster)
    return chance.pick(same.length > 0 && chance.yes(0.8) ? same : above)
  }
  const real = workloads.filter(({ role }) => role === 'workload')
  for (const to of real) {
    const layer = layers[to.index] as number
    if (layer === 0) continue
    const above = real.filter(({ index }) => (layers[index] as number) < layer)
    const direct = above.filter(({ index }) => layers[index] === layer - 1)
    join(near(to, direct.length > 0 ? direct : above).index, to.index)
    // Some are shared by many.
    const more = chance.yes(0.08) ? chance.whole(2, 8) : chance.yes(0.4) ? 1 : 0
    for (let time = 0; time < more; time += 1) join(near(to, above).index, to.index)
  }
  if (chance.yes(0.12)) {
    const deep = real.filter(({ index }) => (layers[index] as number) >= 2)
    const [low] = chance.some(deep, 1)
    const up = low === undefined ? undefined : [...pairs.values()].find(({ to }) => to === low.index)?.from
    if (low !== undefined && up !== undefined && layers[up] !== 0) join(low.index, up, true)
  }
  const calls: SimCall[] = []
  for (const { from, to, back } of pairs.values()) {
    calls.push(callOf(chance, calls.length, workloads, { from, to, back }, doors))
  }
  addForwards(calls, workloads, doors, chance)
  return calls
}

function callOf(
  chance: Chance,
  index: number,
  workloads: readonly SimWorkload[],
  { from, to, back }: { from: number; to: number; back: boolean },
  doors: ReadonlyMap<number, number>,
): SimCall {
  const callee = workloads[to] as SimWorkload
  const crosses = workloads[from]?.cluster !== callee.cluster
  const door = doors.get(callee.cluster)
  const style = !crosses ? 'local' : door !== undefined && chance.yes(0.6) ? 'ingress' : 'mirror'
  const impatient = chance.yes(0.5)
  return {
    index,
    from,
    to: style === 'ingress' && door !== undefined ? door : to,
    count: back ? 0.1 : chance.pick([1, 1, 1, 0.3, 0.6, 1.5, 2]),
    timeoutSeconds: impatient ? chance.pick([1, 2, 5, 10]) : 60,
    retries: impatient && chance.yes(0.5) ? chance.whole(1, 2) : 0,
    waits: back || chance.yes(0.93),
    critical: chance.yes(0.9),
    cost: chance.yes(0.3) ? chance.logBetween(0.4, 2.5) : 1,
    linkSeconds: crosses ? chance.logBetween(0.004, 0.03) : chance.logBetween(0.000_4, 0.001_5),
    style,
    host: style === 'ingress' ? `${callee.name}.${callee.namespace}.example` : null,
  }
}

/** From each ingress to whatever lies behind it. */
function addForwards(
  calls: SimCall[],
  workloads: readonly SimWorkload[],
  doors: ReadonlyMap<number, number>,
  chance: Chance,
): void {
  const hosts = new Map<string, number>()
  for (const { style, host, to } of calls) if (style === 'ingress' && host !== null) hosts.set(host, to)
  for (const [host, door] of hosts) {
    const callee = workloads.find(({ name, namespace }) => host === `${name}.${namespace}.example`)
    if (callee === undefined || ![...doors.values()].includes(door)) continue
    calls.push({
      index: calls.length,
      from: door,
      to: callee.index,
      count: 1,
      timeoutSeconds: 60,
      retries: 0,
      waits: true,
      critical: true,
      cost: 1,
      linkSeconds: chance.logBetween(0.000_4, 0.001_5),
      style: 'forward',
      host,
    })
  }
}
