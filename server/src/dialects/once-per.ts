/** Remembers what was made of each object: the buckets of one histogram share their labels, which need one look. */
export function oncePer<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>()
  // Most often they come one after the other.
  let last: { readonly key: K; readonly value: V } | null = null
  return (key) => {
    if (last !== null && last.key === key) return last.value
    const known = made.get(key)
    const value = known !== undefined || made.has(key) ? (known as V) : make(key)
    if (known === undefined) made.set(key, value)
    last = { key, value }
    return value
  }
}
