const LABEL_PX = 12

/** Moves labels, given from top to bottom, just far enough apart to be read. */
export function spread(wanted: readonly number[], bottom: number): number[] {
  const tops: number[] = []
  for (const y of wanted) {
    const above = tops.at(-1)
    tops.push(above === undefined ? Math.max(LABEL_PX / 2, y) : Math.max(y, above + LABEL_PX))
  }
  // What was pushed over the edge pushes back upwards.
  let limit = bottom
  for (let index = tops.length - 1; index >= 0; index -= 1) {
    tops[index] = Math.min(tops[index] ?? 0, limit)
    limit = (tops[index] ?? 0) - LABEL_PX
  }
  return tops
}
