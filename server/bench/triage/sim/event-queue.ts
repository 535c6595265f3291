/** What happens next: a binary heap by time; of equal times, what was planned first. */
export class EventQueue<T> {
  readonly #times: number[] = []
  readonly #orders: number[] = []
  readonly #events: T[] = []
  #planned = 0

  get nextSeconds(): number {
    return this.#times[0] ?? Number.POSITIVE_INFINITY
  }

  plan(atSeconds: number, event: T): void {
    const [times, orders, events] = [this.#times, this.#orders, this.#events]
    const order = this.#planned++
    let at = times.length
    times.push(atSeconds)
    orders.push(order)
    events.push(event)
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = times[parent] as number
      if (above < atSeconds || (above === atSeconds && (orders[parent] as number) < order)) break
      times[at] = above
      orders[at] = orders[parent] as number
      events[at] = events[parent] as T
      at = parent
    }
    times[at] = atSeconds
    orders[at] = order
    events[at] = event
  }

  take(): T | undefined {
    const [times, orders, events] = [this.#times, this.#orders, this.#events]
    const first = events[0]
    const time = times.pop()
    const order = orders.pop()
    const event = events.pop()
    const size = times.length
    if (time === undefined || order === undefined || size === 0) return first
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= size) break
      if (child + 1 < size && this.#before(child + 1, child)) child += 1
      const below = times[child] as number
      if (time < below || (time === below && order < (orders[child] as number))) break
      times[at] = below
      orders[at] = orders[child] as number
      events[at] = events[child] as T
      at = child
    }
    times[at] = time
    orders[at] = order
    events[at] = event as T
    return first
  }

  #before(a: number, b: number): boolean {
    const [first, second] = [this.#times[a] as number, this.#times[b] as number]
    return first < second || (first === second && (this.#orders[a] as number) < (this.#orders[b] as number))
  }
}
