import type { RateWindow } from './federation/rate-window.ts'
import type { Roster } from './federation/roster.ts'
import type { Gap, Snapshot } from './federation/snapshot.ts'
import type { TroubleLog } from './telemetry/trouble-log.ts'

interface Around {
  readonly log: TroubleLog
  readonly roster: Pick<Roster, 'readers'>
  readonly rateWindow: Pick<RateWindow, 'seconds' | 'gaps'>
}

type Taken = Pick<Snapshot, 'atSeconds' | 'windowSeconds' | 'refreshSeconds' | 'clusters' | 'gaps'>

/** A view that was not taken for so many refreshes is looked at by nobody. */
const REFRESHES_LOOKED_AT = 10

/**
 * Tells the log of each live snapshot what clusters lack. Viewers may choose other rate windows and stretches to compare
 * with, for which a cluster may lack what it has for others: it is judged by one window, the usual one while somebody
 * looks at that, and by nothing that a viewer chose.
 */
export function composeTroubles({ log, roster, rateWindow }: Around): (snapshot: Taken) => void {
  let judged = { windowSeconds: 0, atSeconds: Number.NEGATIVE_INFINITY }
  const clusters = new Set<string>()
  /** Endpoints that cannot say which clusters they hold have gaps of their own. */
  const endpoints = new Set<string>()

  return (snapshot) => {
    const { atSeconds, windowSeconds, refreshSeconds } = snapshot
    const readers = roster.readers()
    const isUsual = windowSeconds === rateWindow.seconds(readers)
    const isOther = windowSeconds !== judged.windowSeconds
    const isLookedAt = Math.abs(atSeconds - judged.atSeconds) <= REFRESHES_LOOKED_AT * refreshSeconds
    if (isOther && isLookedAt && !isUsual) return
    judged = { windowSeconds, atSeconds }

    const reading = { windowSeconds, atSeconds, live: false }
    const gaps = [...snapshot.gaps.filter(isOfEveryView), ...rateWindow.gaps(readers, reading, null)]
    const present = new Set(snapshot.clusters.map(({ name }) => name))
    for (const name of clusters) {
      if (present.has(name)) continue
      clusters.delete(name)
      log.forget(name)
    }
    for (const name of present) clusters.add(name)
    for (const { cluster } of gaps) if (!present.has(cluster)) endpoints.add(cluster)
    for (const name of new Set([...present, ...endpoints]))
      log.note(name, gaps.find(({ cluster }) => cluster === name) ?? null)
  }
}

/** Not of the stretch that a viewer compares with, nor said only to who chose no window. */
function isOfEveryView({ what }: Gap): boolean {
  return !/^usual |^short rate window$/.test(what)
}
