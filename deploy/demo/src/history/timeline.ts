/** The instants of the history and how much calm traffic had passed at each. Both clusters share one: so their edges agree. */
export interface Timeline {
  readonly timestampsMs: readonly number[]
  /** Seconds of average calm traffic since the pods began; grows unevenly, as traffic does. */
  readonly trafficSeconds: readonly number[]
}

export interface TimelineOptions {
  readonly endMs: number
  readonly historySeconds: number
  readonly stepSeconds: number
  /** The end is as dense as scraping is, for short rate windows. */
  readonly denseSeconds: number
  readonly denseStepSeconds: number
  /** Traffic before the first instant: counters do not begin at zero. */
  readonly earlierSeconds: number
  /** Of the whole scenario: the fewer requests, the larger the noise from step to step. */
  readonly requestsPerSecond: number
}

export function createTimeline(options: TimelineOptions, random: () => number = Math.random): Timeline {
  const timestampsMs: number[] = []
  const trafficSeconds: number[] = []
  let traffic = options.earlierSeconds
  let left = options.historySeconds
  while (left >= 0) {
    timestampsMs.push(Math.round(options.endMs - left * 1000))
    trafficSeconds.push(traffic)
    const step = left > options.denseSeconds ? options.stepSeconds : options.denseStepSeconds
    const noise = gaussian(random) / Math.sqrt(options.requestsPerSecond * step)
    traffic += step * Math.max(0, 1 + noise)
    left -= step
  }
  return { timestampsMs, trafficSeconds }
}

function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
