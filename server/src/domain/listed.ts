/** Items to be gone through, of which each may be made only then: an array, or what `listed` gives. */
export interface Listed<T> extends Iterable<T> {
  readonly length: number
  /** Gives back the memory that items are made of, where that can be: nobody may go through them afterwards. */
  readonly free?: (() => void) | undefined
}

/**
 * So many items that are made one by one as they are gone through, anew each time: tens of thousands of them at once
 * would live until the last is looked at, and all that lives is what the garbage collector carries.
 */
export function listed<T>(length: number, at: (index: number) => T, free?: () => void): Listed<T> {
  return {
    length,
    free,
    *[Symbol.iterator]() {
      for (let index = 0; index < length; index += 1) yield at(index)
    },
  }
}

/** What is made of each item, as it is gone through. */
export function mapListed<T, U>(items: Listed<T>, make: (item: T) => U): Listed<U> {
  return {
    length: items.length,
    free: items.free,
    *[Symbol.iterator]() {
      for (const item of items) yield make(item)
    },
  }
}
