import type { Behind } from './behind.ts'
import type { ClusterReading } from './cluster-reading.ts'
import { within } from './within.ts'

/** The past of a small cluster is there by then: its first snapshot has usual values at once. */
const GRACE_SECONDS = 1

/**
 * Everybody has told the present: now what is missing of the past is asked for. Where that is more than the newest
 * steps it is waited for a moment; what takes longer comes in later, with a reading anew. The newest steps alone are
 * asked for behind the snapshot.
 */
export async function withPast(
  readings: readonly ClusterReading[],
  behind: Pick<Behind, 'run'>,
): Promise<readonly ClusterReading[]> {
  if (!readings.some(({ past }) => past?.much)) {
    behind.run(() => {
      for (const { past } of readings) void past?.ask()
    })
    return readings
  }
  const asked = readings.map(({ past }) => past?.ask())
  const whole = new Map<number, ClusterReading>()
  const all = Promise.all(asked.map(async (one, index) => void (one && whole.set(index, await one))))
  await within(GRACE_SECONDS, all)
  return readings.map((reading, index) => {
    const later = asked[index]
    if (reading.past?.much !== true || later === undefined) return reading
    return whole.get(index) ?? { ...reading, later }
  })
}
