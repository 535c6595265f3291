/** Remembers what it made for each key: rendering labels on every request would cost more than the request. */
export function cached<T>(create: (...args: string[]) => T): (...args: string[]) => T {
  const known = new Map<string, T>()
  return (...args) => {
    const key = args.join('\n')
    let found = known.get(key)
    if (found === undefined) {
      found = create(...args)
      known.set(key, found)
    }
    return found
  }
}
