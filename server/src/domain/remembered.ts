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
 */
export function remembered<K extends object, V, More extends [unknown?]>(
  make: (key: K, ...more: More) => V,
): (key: K, ...more: More) => V {
  class Holder extends Given {
    readonly #value: V

    constructor(key: K, value: V) {
      super(key)
      this.#value = value
    }

    static of(key: K, more: unknown): V {
      if (#value in key) return key.#value
      const value = make(key, ...([more] as unknown as More))
      new Holder(key, value)
      return value
    }
  }
  // Without a list of arguments: it is called a million times a second.
  return ((key: K, more?: unknown) => Holder.of(key, more)) as (key: K, ...more: More) => V
}
