import type { WallFrame, WallRow } from '@goldseam/server/contract'
import { shortName } from '../format/workload-name.ts'

type Hidden = WallFrame['more']

/** The rows there is room for, and who is left, counted by the suspect that explains them. */
export function railLines({ rows, more }: WallFrame, lines: number): { shown: readonly WallRow[]; more: Hidden } {
  if (rows.length <= lines && more.length === 0) return { shown: rows, more: [] }
  const shown = rows.slice(0, Math.max(0, lines - 1))
  const counts = new Map(more.map(({ via, count }) => [via, count]))
  for (const { via, recoveringSince } of rows.slice(shown.length)) {
    // Who is well again need not be counted.
    if (recoveringSince === null) counts.set(via, (counts.get(via) ?? 0) + 1)
  }
  const hidden = [...counts].map(([via, count]) => ({ via, count }))
  if (hidden.length === 0) return { shown: rows.slice(0, lines), more: [] }
  return { shown, more: hidden.sort((a, b) => b.count - a.count) }
}

const NAMED_CAUSES = 2

/** `and 31 victims of labs/D, 4 others`; where that has no room, how many they are. */
export function hiddenText(more: Hidden, letters: number): string {
  const full = fullText(more)
  const count = more.reduce((sum, one) => sum + one.count, 0)
  return full.length <= letters ? full : `and ${count} more in trouble`
}

function fullText(more: Hidden): string {
  const caused = more.filter(({ via }) => via !== null)
  const parts = caused
    .slice(0, NAMED_CAUSES)
    .map(({ via, count }) => `${count} ${count === 1 ? 'victim' : 'victims'} of ${shortName(via ?? '')}`)
  const rest = [...caused.slice(NAMED_CAUSES), ...more.filter(({ via }) => via === null)]
  const others = rest.reduce((sum, { count }) => sum + count, 0)
  if (others > 0)
    parts.push(parts.length === 0 ? `${others} more in trouble` : `${others} ${others === 1 ? 'other' : 'others'}`)
  return `and ${parts.join(', ')}`
}
