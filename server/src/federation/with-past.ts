import type { Behind } from './behind.ts'
import type { ClusterReading } from './cluster-reading.ts'
import { within } from './within.ts'

/** The past of a small cluster is there by then: its first snapshot has usual values at once. */
const GRACE_SECONDS = 1

/**
 * Everybody has told the present: now what is missing of the past is asked for. Where that is more than the newest
 * steps it is waited for a moment, unless it is known to take longer; what does comes in later, with a reading anew. All
 * that nobody waits for is asked for behind the snapshot.
 */
export async function withPast(
  readings: readonly ClusterReading[],
  behind: Pick<Behind, 'run'>,
): Promise<readonly ClusterReading[]> {
  const asked = readings.map(({ past }) =>
    past?.much === true && past.atLeastSeconds < GRACE_SECONDS ? past.ask() : null,
  )
  const whole = new Map<number, ClusterReading>()
  const all = asked.map(async (one, index) => void (one && whole.set(index, await one)))
  if (asked.some((one) => one !== null)) await within(GRACE_SECONDS, Promise.all(all))
  const begins: (() => void)[] = []
  const completed = readings.map((reading, index) => {
    const { past } = reading
    if (past === undefined) return reading
    const later = asked[index] ?? new Promise<ClusterReading>((resolve) => void begins.push(() => resolve(past.ask())))
    return past.much ? (whole.get(index) ?? { ...reading, later }) : reading
  })
  behind.run(() => {
    for (const begin of begins) begin()
  })
  return completed
}
