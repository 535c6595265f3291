/** Numbers one after the other in little memory, of which nobody knows how many there will be. */
export class Growing<Numbers extends Float64Array | Int32Array> {
  #numbers: Numbers
  #length = 0
  readonly #empty: (length: number) => Numbers

  /** `empty` makes room for so many. */
  constructor(empty: (length: number) => Numbers) {
    this.#empty = empty
    this.#numbers = empty(256)
  }

  static floats(): Growing<Float64Array> {
    return new Growing((length) => new Float64Array(length))
  }

  static integers(): Growing<Int32Array> {
    return new Growing((length) => new Int32Array(length))
  }

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    if (this.#length === this.#numbers.length) {
      const larger = this.#empty(2 * this.#length)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.#length] = value
    this.#length += 1
  }

  /** All of them, in the memory they were collected in: push no more. */
  done(): Numbers {
    return this.#numbers.subarray(0, this.#length) as Numbers
  }
}
