import { aggregate, selector } from '../dialects/promql.ts'
import { allLabels } from '../domain/apart.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { isYounger } from './is-younger.ts'
import { missingPart } from './store-trouble.ts'

interface Options {
  readonly api: Pick<PrometheusApi, 'query'>
  /** Tells the clusters behind the endpoint apart. */
  readonly clusterLabel: string
  /** Unix seconds. */
  readonly clock: () => number
}

/** Much less than the five minutes for which a target is still found that nobody scrapes any more. */
const ASKED_AGAIN_SECONDS = 30
/** Counting the targets of all clusters may be too much for an endpoint: it is not tried all the time. */
const FAILED_AGAIN_SECONDS = 300
const WITHIN_MS = 2_000
/** So long ago a cluster may have been scraped that a process before this one knew: from ten minutes to a day. */
const AGO_SECONDS = [600, 3_600, 21_600, 86_400] as const
const LOOKED_BACK_AGAIN_SECONDS = 3_600

/**
 * Tells a cluster that is quiet from one that is dead, where all of them write into one store: nobody announces them
 * there, and values of their label stay for hours. Whoever is scraped has `up`, traffic or not; where it was and is no
 * more, nobody scrapes the cluster, or nobody sends it here. One question is shared by all clusters of the endpoint.
 */
export class ScrapedTargets {
  readonly #options: Options
  /** Clusters that had `up` whenever it was looked at. */
  readonly #everScraped = new Set<string>()
  #now = { askedAtSeconds: Number.NEGATIVE_INFINITY, found: nobodyKnows(), againSeconds: 0 }
  #before = { askedAtSeconds: Number.NEGATIVE_INFINITY, looked: Promise.resolve(), againSeconds: 0 }

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * Whether the cluster had targets and has none any more. False for one that never had any, as where only recorded
   * series or OTLP come in, and while nobody can tell. Never rejects.
   */
  async areGone(cluster: string): Promise<boolean> {
    const scraped = await this.#scrapedNow()
    if (scraped === null || scraped.has(cluster)) return false
    if (!this.#everScraped.has(cluster)) await this.#lookBack()
    return this.#everScraped.has(cluster)
  }

  /** What was told last stands while the endpoint cannot be asked. */
  #scrapedNow(): Promise<ReadonlySet<string> | null> {
    const nowSeconds = this.#options.clock()
    const { askedAtSeconds, found: last, againSeconds } = this.#now
    if (isYounger(askedAtSeconds, nowSeconds, againSeconds)) return last
    const asked = this.#scrapedAt(nowSeconds).then((scraped) => {
      if (scraped === null) asking.againSeconds = FAILED_AGAIN_SECONDS
      return scraped ?? last
    })
    const asking = { askedAtSeconds: nowSeconds, found: asked, againSeconds: ASKED_AGAIN_SECONDS }
    this.#now = asking
    return asked
  }

  #lookBack(): Promise<void> {
    const nowSeconds = this.#options.clock()
    const { askedAtSeconds, looked, againSeconds } = this.#before
    if (isYounger(askedAtSeconds, nowSeconds, againSeconds)) return looked
    const all = Promise.all(AGO_SECONDS.map((ago) => this.#scrapedAt(nowSeconds - ago))).then((scraped) => {
      if (scraped.includes(null)) asking.againSeconds = FAILED_AGAIN_SECONDS
    })
    const asking = { askedAtSeconds: nowSeconds, looked: all, againSeconds: LOOKED_BACK_AGAIN_SECONDS }
    this.#before = asking
    return all
  }

  /** The clusters with targets at an instant (unix seconds), up or down; null: not known of all. */
  async #scrapedAt(atSeconds: number): Promise<ReadonlySet<string> | null> {
    const { api, clusterLabel } = this.#options
    try {
      const targets = selector('up', [{ label: clusterLabel, op: '!=', value: '' }])
      const counted = aggregate('count', [clusterLabel], targets)
      const told = await api.query(counted, atSeconds, AbortSignal.timeout(WITHIN_MS), 'scraped targets')
      const scraped = new Set([...told.data].flatMap((sample) => allLabels(sample)[clusterLabel] ?? []))
      for (const cluster of scraped) this.#everScraped.add(cluster)
      return told.warnings.some((warning) => missingPart(warning) !== null) ? null : scraped
    } catch {
      return null
    }
  }
}

function nobodyKnows(): Promise<ReadonlySet<string> | null> {
  return Promise.resolve(null)
}
