import type { Logger } from './logger.ts'

/** What a cluster cannot answer at present. `why` comes from a closed set and tells causes apart. */
export interface Trouble {
  readonly what: string
  readonly why: string
  readonly detail: string
  /** Unix seconds. */
  readonly sinceSeconds: number
}

export interface TroubleLog {
  /** Told after each reading: the worst trouble of the cluster, or null when all is well. */
  note(cluster: string, trouble: Trouble | null): void
  /** It is watched no longer, which is no recovery. */
  forget(cluster: string): void
}

const QUIET_SECONDS = 60

interface Remembered {
  /** When each cause was last told. */
  readonly toldAtSeconds: Map<string, number>
  /** The cause last told; null after its recovery was. */
  told: string | null
  since: number
  recoveryToldAtSeconds: number
}

/**
 * One line when a cluster's cause changes and one when it is well again, and the same line at most once a minute: a
 * cluster that comes and goes must not fill the disk.
 */
export function createTroubleLog(logger: Logger, nowSeconds: () => number): TroubleLog {
  const clusters = new Map<string, Remembered>()

  function remembered(cluster: string): Remembered {
    const known = clusters.get(cluster)
    if (known !== undefined) return known
    const fresh = { toldAtSeconds: new Map<string, number>(), told: null, since: 0, recoveryToldAtSeconds: -Infinity }
    clusters.set(cluster, fresh)
    return fresh
  }

  return {
    note(cluster, trouble) {
      const known = remembered(cluster)
      const now = nowSeconds()
      if (trouble === null) {
        if (known.told === null || Math.abs(now - known.recoveryToldAtSeconds) < QUIET_SECONDS) return
        const troubledSeconds = Math.max(0, Math.round(now - known.since))
        logger.info({ cluster, why: known.told, troubledSeconds }, 'cluster answers again')
        known.told = null
        known.recoveryToldAtSeconds = now
        return
      }
      const { what, why, detail, sinceSeconds } = trouble
      // Trouble that lasts is told once; one that is back after a while, again.
      if (known.told === why || Math.abs(now - (known.toldAtSeconds.get(why) ?? -Infinity)) < QUIET_SECONDS) return
      const since = new Date(sinceSeconds * 1_000).toISOString()
      logger.warn({ cluster, what, why, detail, since }, 'cluster does not answer as it should')
      known.toldAtSeconds.set(why, now)
      if (known.told === null) known.since = sinceSeconds
      known.told = why
    },

    forget(cluster) {
      const why = clusters.get(cluster)?.told ?? null
      clusters.delete(cluster)
      if (why !== null) logger.info({ cluster, why }, 'cluster is gone for good and no longer asked')
    },
  }
}
