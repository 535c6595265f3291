import { expect } from 'vitest'

type Line = Readonly<Record<string, unknown>>

const WARNING = 40
/** A line is written some milliseconds after it was decided on. */
const MINUTE_MS = 60_000 - 1_000

export const recoveries = (lines: readonly Line[]): Line[] => lines.filter(({ msg }) => msg === 'cluster answers again')

/** (e) The cause is told, and neither it nor a recovery more than once a minute. */
export function expectFewLines(lines: readonly Line[], cause: string): void {
  const troubles = lines.filter(({ level }) => Number(level) >= WARNING)
  const toldAtMs = new Map<string, number>()
  for (const { cluster, why, time, msg } of [...troubles, ...recoveries(lines)]) {
    const about = `${cluster} ${msg} ${why}`
    const told = Date.parse(String(time))
    expect(told - (toldAtMs.get(about) ?? Number.NEGATIVE_INFINITY), about).toBeGreaterThanOrEqual(MINUTE_MS)
    toldAtMs.set(about, told)
  }
  expect(troubles.map(({ cluster, why }) => `${cluster} ${why}`)).toContain(`west ${cause}`)
}
