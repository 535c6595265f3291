import type { Components } from './components.ts'
import type { Circles, FlowNet, InsideCalls } from './flow-net.ts'

interface InsideCall {
  readonly call: number
  readonly from: number
  readonly to: number
  readonly step: number
}

/** The steps that stay within a component; none for a node that does not call itself in circles. */
export function insideCalls(
  { offsets, to, steps, components }: Pick<FlowNet, 'offsets' | 'to' | 'steps' | 'components'>,
  component: number,
): InsideCall[] {
  const [start, end] = [components.starts[component] as number, components.starts[component + 1] as number]
  const inside: InsideCall[] = []
  if (end - start < 2) return inside
  for (let at = start; at < end; at += 1) {
    const from = components.nodes[at] as number
    for (let call = offsets[from] as number; call < (offsets[from + 1] as number); call += 1) {
      const step = steps[call] as number
      const callee = to[call] as number
      if (step !== 0 && components.of[callee] === component) inside.push({ call, from, to: callee, step })
    }
  }
  return inside
}

/** The component's own calls, looked at from both ends. */
export function circlesOf({ nodes, starts }: Components, component: number, inside: readonly InsideCall[]): Circles {
  const unordered = nodes.subarray(starts[component], starts[component + 1])
  const known = new Map(Array.from(unordered, (node, at) => [node, at]))
  const placed = inside.map(({ from, to, step }) => ({ from: known.get(from) ?? 0, to: known.get(to) ?? 0, step }))
  const order = callersFirst(sortedBy(placed, unordered.length, 'from', 'to'))
  const place = new Int32Array(unordered.length)
  order.forEach((at, turn) => {
    place[at] = turn
  })
  const ordered = placed.map(({ from, to, step }) => ({ from: place[from] as number, to: place[to] as number, step }))
  return {
    members: order.map((at) => unordered[at] as number),
    forth: sortedBy(ordered, unordered.length, 'from', 'to'),
    back: sortedBy(ordered, unordered.length, 'to', 'from'),
  }
}

type Side = 'from' | 'to'

function sortedBy(
  calls: readonly { readonly from: number; readonly to: number; readonly step: number }[],
  size: number,
  side: Side,
  other: Side,
): InsideCalls {
  const offsets = new Int32Array(size + 1)
  for (const call of calls) offsets[call[side] + 1] = (offsets[call[side] + 1] as number) + 1
  for (let at = 0; at < size; at += 1) offsets[at + 1] = (offsets[at + 1] as number) + (offsets[at] as number)
  const next = offsets.slice()
  const ends = new Int32Array(calls.length)
  const steps = new Float64Array(calls.length)
  for (const call of calls) {
    const at = next[call[side]] as number
    next[call[side]] = at + 1
    ends[at] = call[other]
    steps[at] = call.step
  }
  return { offsets, ends, steps }
}

/** Depth first, and those last from whom all else has been left: only calls that close a circle lead back. */
function callersFirst({ offsets, ends }: InsideCalls): Int32Array {
  const size = offsets.length - 1
  const order = new Int32Array(size)
  const next = offsets.slice(0, size)
  const seen = new Uint8Array(size)
  let left = size
  for (let first = 0; first < size; first += 1) {
    if (seen[first] === 1) continue
    seen[first] = 1
    const stack = [first]
    for (let at = stack.at(-1); at !== undefined; at = stack.at(-1)) {
      const call = next[at] as number
      if (call === offsets[at + 1]) {
        left -= 1
        order[left] = at
        stack.pop()
        continue
      }
      next[at] = call + 1
      const end = ends[call] as number
      if (seen[end] === 1) continue
      seen[end] = 1
      stack.push(end)
    }
  }
  return order
}

/** Spectral radius of the steps, by power iteration: what one visit breeds per round. */
export function gainOf({ members, forth: { offsets, ends, steps } }: Circles): number {
  const size = members.length
  let mass: Float64Array = new Float64Array(size).fill(1 / size)
  const [rounds, warmUp] = [60, 20]
  let logGain = 0
  for (let round = 0; round < rounds; round += 1) {
    // Half of the mass stays: a cycle would otherwise make the iteration swing instead of settle.
    const next = mass.map((amount) => amount / 2)
    for (let at = 0; at < size; at += 1) {
      const half = (mass[at] as number) / 2
      for (let call = offsets[at] as number; call < (offsets[at + 1] as number); call += 1) {
        const end = ends[call] as number
        next[end] = (next[end] as number) + half * Math.abs(steps[call] as number)
      }
    }
    const total = next.reduce((sum, amount) => sum + amount, 0)
    if (total === 0) return 0
    if (round >= warmUp) logGain += Math.log(total)
    mass = next.map((amount) => amount / total)
  }
  return 2 * Math.exp(logGain / (rounds - warmUp)) - 1
}
