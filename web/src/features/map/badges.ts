/** Two letters for each name, told apart where that can be: the first two, else the first and the last. */
export function badgesOf(names: readonly string[]): ReadonlyMap<string, string> {
  const badges = new Map<string, string>()
  const taken = new Set<string>()
  for (const [index, name] of names.entries()) {
    const first = name.charAt(0)
    const tries = [name.slice(0, 2), first + name.slice(-1), `${first}${index + 1}`].map((text) => text.toUpperCase())
    const badge = tries.find((text) => !taken.has(text)) ?? tries[2] ?? ''
    badges.set(name, badge)
    taken.add(badge)
  }
  return badges
}
