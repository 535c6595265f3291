/** Rows from the first to the last, by their place in the table; none where `last` lies before `first`. */
export interface Span {
  readonly first: number
  readonly last: number
}

/**
 * What is drawn next on the way to `wanted`: what is drawn already and still wanted, and at most `most` rows more, those
 * that are seen before those that are near. A fast scroll then draws some rows in each frame instead of all in one.
 */
export function grown(drawn: Span, wanted: Span, seen: Span, most: number): Span {
  let first = Math.max(drawn.first, wanted.first)
  let last = Math.min(drawn.last, wanted.last)
  if (last < first) {
    first = seen.first
    last = seen.first - 1
  }
  let left = most
  for (const within of [seen, wanted]) {
    const below = Math.min(left, Math.max(0, within.last - last))
    last += below
    left -= below
    const above = Math.min(left, Math.max(0, first - within.first))
    first -= above
    left -= above
  }
  return { first, last }
}

export function isSame(a: Span, b: Span): boolean {
  return a.first === b.first && a.last === b.last
}
