/** Nodes grouped into strongly connected components, components in the order of the calls: callers before callees. */
export interface Components {
  /** Node numbers, component after component. */
  readonly nodes: Int32Array
  /** Where each component begins in `nodes`; one entry more than there are components. */
  readonly starts: Int32Array
  /** Component of each node. */
  readonly of: Int32Array
}

/** Calls of node `n` are `to[offsets[n]]` up to `to[offsets[n + 1] - 1]`. */
export interface Adjacency {
  readonly offsets: Int32Array
  readonly to: Int32Array
}

/**
 * Strongly connected components over the calls of which `steps` has not 0. Source: R. Tarjan, "Depth-first search and
 * linear graph algorithms" (1972), without recursion, because call chains may be deeper than the stack.
 */
export function componentsOf({ offsets, to }: Adjacency, steps: Float64Array): Components {
  const count = offsets.length - 1
  const place = new Int32Array(count).fill(-1)
  const low = new Int32Array(count)
  const of = new Int32Array(count).fill(-1)
  const next = offsets.slice(0, count)
  const open = new Int32Array(count)
  const path = new Int32Array(count)
  // Tarjan finds callees first: filled from the back, the callers come first.
  const nodes = new Int32Array(count)
  const starts: number[] = []
  let [entered, opened, filled] = [0, 0, count]

  for (let root = 0; root < count; root += 1) {
    if (place[root] !== -1) continue
    let depth = 0
    const enter = (node: number) => {
      place[node] = low[node] = entered
      entered += 1
      open[opened] = path[depth] = node
      opened += 1
      depth += 1
    }
    enter(root)
    while (depth > 0) {
      const node = path[depth - 1] as number
      const call = next[node] as number
      if (call < (offsets[node + 1] as number)) {
        next[node] = call + 1
        const callee = to[call] as number
        if (steps[call] === 0) continue
        if (place[callee] === -1) enter(callee)
        else if (of[callee] === -1) low[node] = Math.min(low[node] as number, place[callee] as number)
        continue
      }
      depth -= 1
      const parent = depth > 0 ? (path[depth - 1] as number) : -1
      if (parent !== -1) low[parent] = Math.min(low[parent] as number, low[node] as number)
      if (low[node] !== place[node]) continue
      for (let member = -1; member !== node; ) {
        opened -= 1
        member = open[opened] as number
        of[member] = starts.length
        filled -= 1
        nodes[filled] = member
      }
      starts.push(filled)
    }
  }
  const total = starts.length
  for (let node = 0; node < count; node += 1) of[node] = total - 1 - (of[node] as number)
  return { nodes, starts: Int32Array.from([...starts.reverse(), count]), of }
}
