/**
 * How well what was typed fits a name: 0 not at all, else more is better. All letters must occur in their order; a
 * whole last part ("cart" of west/shop/cart) fits best, then beginnings of parts, then runs of letters.
 */
export function matchScore(typed: string, name: string): number {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const scores = wanted.map((word) => wordScore(word, name.toLowerCase()))
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length)
}

function wordScore(word: string, name: string): number {
  const parts = name.split(/[/\s]/)
  if (parts.at(-1) === word) return 100
  if (parts.includes(word)) return 80
  if (parts.at(-1)?.startsWith(word)) return 70
  if (name.split(/[/\s:._-]/).some((part) => part.startsWith(word))) return 60
  if (name.includes(word)) return 45
  return scattered(word, name)
}

/** Letters in order with gaps: better the fewer there are, and where each begins a part. */
function scattered(word: string, name: string): number {
  let at = -1
  let gaps = 0
  for (const letter of word) {
    const next = name.indexOf(letter, at + 1)
    if (next < 0) return 0
    if (at >= 0 && next > at + 1 && /[a-z0-9]/.test(name[next - 1] ?? '')) gaps += 1
    at = next
  }
  return Math.max(1, 30 - 6 * gaps)
}
