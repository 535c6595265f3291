/** The candidate closest to what was typed, or null when none is close enough to be a slip. */
export function closest(typed: string, candidates: readonly string[]): string | null {
  const allowed = typed.length <= 3 ? 1 : Math.max(2, Math.floor(typed.length / 3))
  let best: { candidate: string; distance: number } | null = null
  for (const candidate of candidates) {
    const begun = typed.length > 3 && candidate.toLowerCase().startsWith(typed.toLowerCase())
    const distance = begun ? 1 : editDistance(typed.toLowerCase(), candidate.toLowerCase())
    if (distance <= allowed && (best === null || distance < best.distance)) best = { candidate, distance }
  }
  return best?.candidate ?? null
}

/** Levenshtein distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(replaced, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    previous = row
  }
  return previous[b.length] ?? 0
}
