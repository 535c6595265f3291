/** A weighted step: one visit to `from` causes `weight` visits to `to`. */
export interface Step {
  readonly from: string
  readonly to: string
  readonly weight: number
}

/** Beyond this gain a cycle feeds itself so much that the members cannot be told apart. */
const GAIN_LIMIT = 0.95

export interface Visits {
  readonly visits: ReadonlyMap<string, number>
  /** Strongly connected components that are one suspect group; steps back into them were cut. */
  readonly inseparable: readonly (readonly string[])[]
}

/**
 * Expected visits to every node per visit of the focus: V_f = 1 + returns, V_w = sum of V_v * weight over steps v->w.
 * Cycles are solved as a linear system per strongly connected component; where a component's gain reaches 0.95 the
 * steps inside it are cut and the component is named in `inseparable`.
 */
export function visitsFrom(focus: string, stepsOf: (node: string) => readonly Step[]): Visits {
  const components = componentsFrom(focus, stepsOf)
  const arrivals = new Map<string, number>([[focus, 1]])
  const visits = new Map<string, number>()
  const inseparable: string[][] = []
  for (const members of components) {
    const inside = new Set(members)
    const cyclic = members.length > 1 || stepsOf(members[0] ?? '').some((step) => step.to === members[0])
    const solved = cyclic ? solveComponent(members, inside, stepsOf, arrivals) : null
    if (cyclic && solved === null) inseparable.push(members)
    for (const member of members) {
      const count = solved?.get(member) ?? arrivals.get(member) ?? 0
      visits.set(member, count)
      for (const step of stepsOf(member)) {
        if (!inside.has(step.to)) arrivals.set(step.to, (arrivals.get(step.to) ?? 0) + count * step.weight)
      }
    }
  }
  return { visits, inseparable }
}

/** Components reachable from the focus, callers before callees (Tarjan, without recursion: call chains may be deep). */
function componentsFrom(focus: string, stepsOf: (node: string) => readonly Step[]): string[][] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()
  const components: string[][] = []
  const work: { node: string; next: number }[] = []
  const enter = (node: string) => {
    order.set(node, order.size)
    low.set(node, order.size - 1)
    open.push(node)
    isOpen.add(node)
    work.push({ node, next: 0 })
  }
  const lower = (node: string, value: number) => low.set(node, Math.min(low.get(node) ?? value, value))
  enter(focus)
  for (let top = work.at(-1); top !== undefined; top = work.at(-1)) {
    const step = stepsOf(top.node)[top.next]
    if (step !== undefined) {
      top.next += 1
      const seen = order.get(step.to)
      if (seen === undefined) enter(step.to)
      else if (isOpen.has(step.to)) lower(top.node, seen)
      continue
    }
    work.pop()
    const parent = work.at(-1)
    if (parent !== undefined) lower(parent.node, low.get(top.node) ?? 0)
    if (low.get(top.node) === order.get(top.node)) {
      const members = open.splice(open.lastIndexOf(top.node))
      for (const member of members) isOpen.delete(member)
      components.push(members)
    }
  }
  return components.reverse()
}

/** Solves V = arrivals + W^T V inside one component; null when its gain is too high to separate its members. */
function solveComponent(
  members: readonly string[],
  inside: ReadonlySet<string>,
  stepsOf: (node: string) => readonly Step[],
  arrivals: ReadonlyMap<string, number>,
): Map<string, number> | null {
  const index = new Map(members.map((member, at) => [member, at]))
  const size = members.length
  const matrix = members.map((member, row) => {
    const line = new Array<number>(size + 1).fill(0)
    line[row] = 1
    line[size] = arrivals.get(member) ?? 0
    return line
  })
  for (const member of members) {
    for (const step of stepsOf(member)) {
      const row = index.get(step.to)
      const column = index.get(member)
      if (!inside.has(step.to) || row === undefined || column === undefined) continue
      const line = matrix[row]
      if (line !== undefined) line[column] = (line[column] ?? 0) - step.weight
    }
  }
  if (gainOf(members, inside, stepsOf) >= GAIN_LIMIT) return null
  return eliminate(matrix, members)
}

/** Spectral radius of the component's step weights, by power iteration: what one visit breeds per round. */
function gainOf(
  members: readonly string[],
  inside: ReadonlySet<string>,
  stepsOf: (node: string) => readonly Step[],
): number {
  let mass = new Map(members.map((member) => [member, 1 / members.length]))
  let logGain = 0
  const rounds = 60
  const warmUp = 20
  for (let round = 0; round < rounds; round += 1) {
    const next = new Map<string, number>()
    for (const [member, amount] of mass) {
      // Half of the mass stays: a cycle would otherwise make the iteration swing instead of settle.
      next.set(member, (next.get(member) ?? 0) + amount / 2)
      for (const step of stepsOf(member)) {
        if (inside.has(step.to)) next.set(step.to, (next.get(step.to) ?? 0) + (amount * Math.abs(step.weight)) / 2)
      }
    }
    const total = [...next.values()].reduce((a, b) => a + b, 0)
    if (total === 0) return 0
    if (round >= warmUp) logGain += Math.log(total)
    mass = new Map([...next].map(([member, amount]) => [member, amount / total]))
  }
  return 2 * Math.exp(logGain / (rounds - warmUp)) - 1
}

/** Gaussian elimination with partial pivoting on an augmented matrix. */
function eliminate(matrix: number[][], members: readonly string[]): Map<string, number> | null {
  const size = members.length
  for (let column = 0; column < size; column += 1) {
    let pivot = column
    for (let row = column + 1; row < size; row += 1) {
      if (Math.abs(matrix[row]?.[column] ?? 0) > Math.abs(matrix[pivot]?.[column] ?? 0)) pivot = row
    }
    const pivotLine = matrix[pivot]
    const swapped = matrix[column]
    if (pivotLine === undefined || swapped === undefined || Math.abs(pivotLine[column] ?? 0) < 1e-12) return null
    matrix[pivot] = swapped
    matrix[column] = pivotLine
    for (let row = 0; row < size; row += 1) {
      const line = matrix[row]
      if (row === column || line === undefined) continue
      const factor = (line[column] ?? 0) / (pivotLine[column] ?? 1)
      if (factor === 0) continue
      for (let at = column; at <= size; at += 1) line[at] = (line[at] ?? 0) - factor * (pivotLine[at] ?? 0)
    }
  }
  return new Map(members.map((member, row) => [member, (matrix[row]?.[size] ?? 0) / (matrix[row]?.[row] ?? 1)]))
}
