import type { Dialect } from '../dialects/dialect.ts'
import { withHeldQuestions } from '../dialects/held-questions.ts'
import { INVENTORY_METRICS } from '../dialects/inventory.ts'
import { type RecordedUse, recordedUse, withRecorded } from '../dialects/recording.ts'
import { histogramsOf, withNative } from '../dialects/with-native.ts'
import { layoutProbe, layoutsDiffer, withCountedCalls, withSeriesCounts } from '../dialects/with-series-counts.ts'
import type { Inventory } from '../domain/stitch/inventory.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { follow } from '../prometheus/follow.ts'
import type { Oddity } from './counted-twice.ts'
import { InventoryReader } from './inventory-reader.ts'
import { isYounger } from './is-younger.ts'
import type { KnownFacts } from './reading-view.ts'
import { NOTHING_RECORDED, readRecorded } from './recorded-rules.ts'
import { scrapedTwice } from './scraped-twice.ts'
import { SharedReads } from './shared-reads.ts'

/** Any of them tells that kube-state-metrics is scraped: pods, restarts, replicas. */
const KUBE_STATE = ['kube_pod_info', 'kube_pod_container_status_restarts_total', 'kube_deployment_spec_replicas']

const DETECT_AGAIN_SECONDS = 300
/** What was found out longer ago, while nobody looked, is not gone by: a snapshot waits for it as for the first time. */
const DETECTION_STANDS_SECONDS = 3 * DETECT_AGAIN_SECONDS
const PROBE_AFTER_SECONDS = 5
const PROBE_TIMEOUT_MS = 10_000
/** A dialect is spoken where its metrics were seen this long ago at most. */
const DETECT_SPAN_SECONDS = 900

/** What a cluster speaks and how often it is scraped: looked up with three small questions, and again now and then. */
export class Detection {
  readonly #api: PrometheusApi
  readonly #known: readonly Dialect[]
  readonly peers: () => readonly string[]
  /** True when the configuration names the dialects. */
  readonly #fixed: boolean
  #dialects: readonly Dialect[] = []
  #scrapeIntervalSeconds: number | null = null
  #kubeState: boolean | null = null
  #recorded = NOTHING_RECORDED
  /** The metrics of those looked for that exist there. */
  #present: ReadonlySet<string> = new Set()
  #detectedAtSeconds = Number.NEGATIVE_INFINITY
  /** Goes on while at least one of those who need it waits. */
  readonly #under = new SharedReads<void>(0)
  #layoutsDiffer = false
  #oddities: readonly Oddity[] = []
  /** For which detection layouts and jobs were looked at. */
  #probed = Number.NEGATIVE_INFINITY
  readonly #inventory: InventoryReader

  /** `peers`: whom mirrored services may be named after, for which recording rules have to be written. */
  constructor(
    api: PrometheusApi,
    known: readonly Dialect[],
    fixed: boolean,
    cluster = '',
    peers: () => readonly string[] = () => [],
  ) {
    this.#api = api
    this.#known = known
    this.#fixed = fixed
    this.peers = peers
    this.#inventory = new InventoryReader(cluster, api)
  }

  get dialects(): readonly Dialect[] {
    return this.#dialects
  }

  get scrapeIntervalSeconds(): number | null {
    return this.#scrapeIntervalSeconds
  }

  /** Whether kube-state-metrics is scraped there; null while nobody could be asked. Kept while the cluster is silent. */
  get kubeState(): boolean | null {
    return this.#kubeState
  }

  /** What the cluster knows beside its mesh; null where it told nothing yet. */
  get inventory(): Inventory | null {
    return this.#inventory.inventory
  }

  /** What is kept of the cluster with its last good values. */
  get facts(): KnownFacts {
    return {
      scrapeIntervalSeconds: this.#scrapeIntervalSeconds,
      inventory: this.inventory,
      kubeState: this.#kubeState,
      dialects: this.#dialects.map(({ name }) => name),
    }
  }

  /** What was known before this process began stands until it is found out anew. */
  recall({ scrapeIntervalSeconds, inventory, kubeState, dialects }: KnownFacts): void {
    this.#scrapeIntervalSeconds ??= scrapeIntervalSeconds
    this.#kubeState ??= kubeState
    this.#inventory.recall(inventory)
    if (this.#dialects.length === 0) this.#speak(this.#known.filter(({ name }) => dialects.includes(name)))
  }

  /** The same of a past instant (unix seconds): what ingresses are asked for changes with the traffic. */
  inventoryAt(atSeconds: number, signal: AbortSignal): Promise<Inventory | null> {
    return this.#inventory.at(atSeconds, this.#scrapeIntervalSeconds, signal)
  }

  /** What is wrong with how the cluster is scraped. */
  get oddities(): readonly Oddity[] {
    return this.#oddities
  }

  /** What is read from recording rules over a rate window; null where none were found. */
  recordedUse(windowSeconds: number): RecordedUse | null {
    const spoken = new Set(this.#dialects.map(({ name }) => name))
    return recordedUse(
      this.#known.filter(({ name }) => spoken.has(name)),
      this.#recorded,
      windowSeconds,
    )
  }

  /** The metrics that were looked for, for whoever wonders why nothing was found. */
  get lookedFor(): readonly string[] {
    return this.#known.flatMap((dialect) => dialect.detectedBy)
  }

  /** Why no dialect is spoken, in words. */
  get foundNothing(): string {
    return `none of ${this.lookedFor.join(', ')} was found in the last ${DETECT_SPAN_SECONDS / 60} minutes`
  }

  /** Looks things up where they are not known, once at a time. Failures are left to the reading itself. */
  async prepare(nowSeconds: number, signal: AbortSignal): Promise<void> {
    if (!isYounger(this.#detectedAtSeconds, nowSeconds, DETECTION_STANDS_SECONDS))
      await this.#detectOnce(nowSeconds, signal)
  }

  /**
   * Looks them up again behind a snapshot, every five minutes, and counts requests at ingresses. Nobody waits for it:
   * the next snapshot has it. Failures leave what is known.
   */
  lookAgain(nowSeconds: number, signal: AbortSignal): void {
    if (!isYounger(this.#detectedAtSeconds, nowSeconds, DETECTION_STANDS_SECONDS)) return
    this.#probe(nowSeconds, signal)
    const looking = isYounger(this.#detectedAtSeconds, nowSeconds, DETECT_AGAIN_SECONDS)
      ? this.#inventory.recount(this.#scrapeIntervalSeconds, nowSeconds, signal)
      : this.#detectOnce(nowSeconds, signal)
    looking.catch(() => undefined)
  }

  #detectOnce(nowSeconds: number, signal: AbortSignal): Promise<void> {
    return this.#under.read('', signal, (all) => this.#detect(nowSeconds, all))
  }

  /**
   * Whether pods count in buckets of their own, and whether several jobs scrape them, is looked up soon after each
   * detection: it reads once all bucket series that are asked for. Failures leave what is known; the next detection looks
   * again.
   */
  #probe(nowSeconds: number, leaving: AbortSignal): void {
    const sinceDetection = nowSeconds - this.#detectedAtSeconds
    if (this.#dialects.length === 0 || sinceDetection < PROBE_AFTER_SECONDS || this.#probed === this.#detectedAtSeconds)
      return
    this.#probed = this.#detectedAtSeconds
    const limit = new AbortController()
    const { signal } = limit
    const leave = follow(leaving, limit)
    follow(AbortSignal.timeout(PROBE_TIMEOUT_MS), limit)
    const twice = scrapedTwice(this.#api, this.#dialects, nowSeconds, signal).then(
      (oddities) => {
        this.#oddities = oddities
      },
      () => undefined,
    )
    const probes = this.#dialects.flatMap((dialect) => layoutProbe(dialect) ?? [])
    const layouts = Promise.all(
      probes.map((promql) => this.#api.query(promql, nowSeconds, signal, 'bucket layouts')),
    ).then(
      (answers) => {
        const differ = answers.some(({ data }) => layoutsDiffer(data))
        if (differ && !this.#layoutsDiffer) this.#speak(this.#dialects.map(withSeriesCounts))
        this.#layoutsDiffer = differ
      },
      () => undefined,
    )
    void Promise.all([twice, layouts]).finally(leave)
  }

  #speak(dialects: readonly Dialect[]): void {
    this.#dialects = dialects.map((dialect) => withHeldQuestions(dialect, this.peers))
  }

  async #detect(nowSeconds: number, signal: AbortSignal): Promise<void> {
    const range = { fromSeconds: nowSeconds - DETECT_SPAN_SECONDS, toSeconds: nowSeconds }
    const histograms = this.#known.flatMap(histogramsOf)
    const names = new Set([...this.lookedFor, ...histograms, ...INVENTORY_METRICS, ...KUBE_STATE])
    const match = [`{__name__=~"${[...names].join('|')}"}`]
    const [found, interval, recorded] = await Promise.allSettled([
      this.#api.labelValues('__name__', match, range, signal),
      this.#api.scrapeIntervalSeconds(signal),
      readRecorded(this.#api, nowSeconds, signal),
    ])
    // Given up, it is begun anew by whoever asks next.
    if (signal.aborted) return
    // Where no samples are left to count, scraping was no faster or slower for that.
    if (interval.status === 'fulfilled') this.#scrapeIntervalSeconds = interval.value ?? this.#scrapeIntervalSeconds
    if (found.status === 'rejected' && !this.#fixed) return
    if (found.status === 'fulfilled') this.#kubeState = KUBE_STATE.some((name) => found.value.data.includes(name))
    // What could not be looked up stands as it was found last.
    if (recorded.status === 'fulfilled') this.#recorded = recorded.value
    if (found.status === 'fulfilled') this.#present = new Set(found.value.data)
    const present = this.#present
    const spoken = this.#fixed ? new Set(this.lookedFor) : present
    this.#speak(
      this.#known
        .filter(({ detectedBy, unless = [] }) => anyIn(spoken, detectedBy) && !anyIn(spoken, unless))
        .map((dialect) => withRecorded(dialect, this.#recorded))
        .map((dialect) => withNative(dialect, present))
        .map(withCountedCalls)
        .map((dialect) => (this.#layoutsDiffer ? withSeriesCounts(dialect) : dialect)),
    )
    await this.#inventory.refresh(present, this.#scrapeIntervalSeconds, nowSeconds, signal)
    if (signal.aborted) return
    // Nothing found may be a mesh that is only starting: look again with the next snapshot.
    if (this.#dialects.length > 0) this.#detectedAtSeconds = nowSeconds
  }
}

function anyIn(present: ReadonlySet<string>, names: readonly string[]): boolean {
  return names.some((name) => present.has(name))
}
