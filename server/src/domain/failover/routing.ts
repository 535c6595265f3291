import { clusterOf, type Picture } from './picture.ts'

/** Weights by cluster, as somebody states them. */
export type Split = ReadonlyMap<string, number>

/** Which twin gets which share. `even`: nothing told, so that all get the same. */
export interface Part {
  readonly id: string
  readonly share: number
  readonly even: boolean
}

/** Who stands in for whom once a cluster is gone, and for how much. */
export class Routing {
  readonly #picture: Picture
  readonly #cluster: string
  readonly #split: Split | null
  readonly #entering: (id: string) => number
  readonly #called = new Map<string, Map<string, number>>()

  /** `entering`: the requests of a workload that no other makes. */
  constructor(picture: Picture, cluster: string, split: Split | null, entering: (id: string) => number) {
    this.#picture = picture
    this.#cluster = cluster
    this.#split = split
    this.#entering = entering
    for (const { from, to, requestsPerSecond } of picture.calls) {
      const calls = this.#called.get(from) ?? new Map<string, number>()
      this.#called.set(from, calls.set(to, (calls.get(to) ?? 0) + requestsPerSecond))
    }
  }

  /** The clusters that are left in which a lost workload runs as well. */
  elsewhere(id: string): string[] {
    const clusters = this.#picture.twinsOf(id).map(clusterOf)
    return [...new Set(clusters)].filter((name) => name !== this.#cluster).sort()
  }

  /**
   * The parts of what went to a lost workload. Stated: by the weights of the clusters. At present: as the caller shares
   * its calls among the others now; users' requests as they enter now; else as the others are asked now.
   */
  partsOf(id: string, caller: string | null): Part[] {
    const twins = this.#picture.twinsOf(id).filter((twin) => clusterOf(twin) !== this.#cluster)
    const weighed = (weightOf: (twin: string) => number): Part[] | null => {
      const weights = twins.map(weightOf)
      const total = weights.reduce((sum, weight) => sum + weight, 0)
      if (!(total > 0)) return null
      return twins.flatMap((twin, at) => {
        const share = (weights[at] ?? 0) / total
        return share > 0 ? [{ id: twin, share, even: false }] : []
      })
    }
    const split = this.#split
    if (split !== null) return weighed((twin) => split.get(clusterOf(twin)) ?? 0) ?? []
    const calls = caller === null ? undefined : this.#called.get(caller)
    return (
      (calls === undefined ? null : weighed((twin) => calls.get(twin) ?? 0)) ??
      weighed(this.#entering) ??
      weighed((twin) => this.#picture.rates.get(twin) ?? 0) ??
      twins.map((twin) => ({ id: twin, share: 1 / twins.length, even: true }))
    )
  }
}
