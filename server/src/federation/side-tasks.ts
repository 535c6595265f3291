/** Something that is asked of a cluster beside its snapshots, and rarely. */
export interface SideTask {
  /** When it is to run next (unix seconds); infinity: never. */
  dueAt(nowSeconds: number): number
  /** Asks one piece of it; false when that was not answered. Never rejects for what the cluster does. */
  run(nowSeconds: number, signal: AbortSignal): Promise<boolean>
}

/** The part of a cluster's load cap that everything beside its snapshots may take. */
const PART_OF_LOAD = 0.25
/** Query seconds that may be saved up: a first look gets its answers at once. */
const MOST_SAVED_SECONDS = 1
/** What a task is charged at most that brought nothing. */
const MOST_FOR_NOTHING_SECONDS = 0.25

/**
 * Runs a cluster's side tasks one after the other, those overdue longest first, between snapshots that somebody
 * watches, and for a small part of the load that the cluster may be given: when they cost more they run more seldom.
 */
export class SideTasks {
  readonly #querySeconds: () => number
  readonly #tasks: readonly SideTask[]
  readonly #secondsPerSecond: number
  #saved = MOST_SAVED_SECONDS
  #savedAtSeconds = Number.NaN
  #running = false
  readonly #abort = new AbortController()

  /** `querySeconds`: what the tasks' own questions took so far, whatever else the cluster is asked meanwhile. */
  constructor(querySeconds: () => number, tasks: readonly SideTask[], maxLoad: number) {
    this.#querySeconds = querySeconds
    this.#tasks = tasks
    this.#secondsPerSecond = maxLoad * PART_OF_LOAD
  }

  /** A snapshot went out: runs what is due. Returns when that is done; nobody has to wait for it. */
  async tick(nowSeconds: number): Promise<void> {
    if (this.#running || this.#abort.signal.aborted) return
    this.#running = true
    try {
      await this.#runDue(nowSeconds)
    } finally {
      this.#running = false
    }
  }

  close(): void {
    this.#abort.abort()
  }

  async #runDue(nowSeconds: number): Promise<void> {
    const since = Number.isNaN(this.#savedAtSeconds) ? 0 : Math.max(0, nowSeconds - this.#savedAtSeconds)
    this.#saved = Math.min(MOST_SAVED_SECONDS, this.#saved + since * this.#secondsPerSecond)
    this.#savedAtSeconds = nowSeconds
    const failed = new Set<SideTask>()
    while (this.#saved > 0 && !this.#abort.signal.aborted) {
      const [next] = this.#tasks
        .filter((task) => !failed.has(task) && task.dueAt(nowSeconds) <= nowSeconds)
        .sort((a, b) => a.dueAt(nowSeconds) - b.dueAt(nowSeconds))
      if (next === undefined) return
      const before = this.#querySeconds()
      const answered = await next.run(nowSeconds, this.#abort.signal).catch(() => false)
      const cost = this.#querySeconds() - before
      // Of what was waited for in vain nobody knows what it cost: it does not hold up the others for minutes.
      this.#saved -= answered ? cost : Math.min(cost, MOST_FOR_NOTHING_SECONDS)
      if (!answered) failed.add(next)
    }
  }
}
