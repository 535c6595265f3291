/** Whoever extends it puts its private fields on the object it is given. */
class Given {
  constructor(given: object) {
    // biome-ignore lint/correctness/noConstructorReturn: that is how a private field comes to another object.
    return given
  }
}

/**
 * Remembers what was made of each object, for as long as that object lives; what else it takes to make it, at most one
 * thing, is asked for each time and counts the first. It is kept in the object itself, in a private field: out of
 * everybody's sight, and not copied with it. A WeakMap says the same, but a fleet has hundreds of thousands of flows and
 * label sets, and the garbage collector has to go through all of such a table again and again.
 * `holds`: whether what was made still says so with the other thing at hand; if not it is made again. Always, by default.
 */
export function remembered<K extends object, V, More extends [unknown?]>(
  make: (key: K, ...more: More) => V,
  holds: ((value: V, ...more: More) => boolean) | null = null,
): (key: K, ...more: More) => V {
  // Without a list of arguments: it is called a million times a second.
  const makeOf = make as unknown as (key: K, more: unknown) => V
  const holdsWith = holds as unknown as ((value: V, more: unknown) => boolean) | null
  class Holder extends Given {
    #value: V

    constructor(key: K, value: V) {
      super(key)
      this.#value = value
    }

    static of(key: K, more: unknown): V {
      if (!(#value in key)) {
        const value = makeOf(key, more)
        new Holder(key, value)
        return value
      }
      if (holdsWith !== null && !holdsWith(key.#value, more)) key.#value = makeOf(key, more)
      return key.#value
    }
  }
  return ((key: K, more?: unknown) => Holder.of(key, more)) as (key: K, ...more: More) => V
}
