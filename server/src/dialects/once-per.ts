/** Remembers what was made of each object: the buckets of one histogram share their labels, which need one look. */
export function oncePer<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined || made.has(key)) return known as V
    const value = make(key)
    made.set(key, value)
    return value
  }
}
