import { spoken } from '../identity.ts'
import { age, perSecond, times } from '../phrase.ts'
import type { Carried } from './carried.ts'
import type { Landing, Landings, Nowhere } from './landing.ts'

/** `carries`: it kept its goals at that rate already; `above`: never at so much; `less`: it has less to do. */
export type LandingVerdict = 'carries' | 'above' | 'less' | 'unknown'

/** What one workload gets once a cluster is gone, against what it has carried. */
export interface LandingRow extends Landing {
  readonly carried: Carried | null
  readonly verdict: LandingVerdict
  readonly text: string
}

export interface FailOver {
  readonly cluster: string
  readonly form: 'carries' | 'above' | 'nowhere' | 'unknown'
  readonly text: string
  readonly rows: readonly LandingRow[]
  readonly nowhere: readonly Nowhere[]
}

/** How far was looked back, and from when (unix seconds). */
export interface Asked {
  readonly days: number
  readonly atSeconds: number
}

/** Who has to be looked up: workloads that get more than now. Those that get most come first. */
export function gaining({ landings }: Landings): string[] {
  return landings
    .filter(({ now, after }) => after > now)
    .sort((a, b) => b.after - b.now - (a.after - a.now))
    .map(({ id }) => id)
}

/** The answer: what lands on whom, whether each has carried as much within its goals, and what has nowhere to go. */
export function failOver(
  cluster: string,
  { landings, nowhere }: Landings,
  carried: ReadonlyMap<string, Carried>,
  asked: Asked,
): FailOver {
  const rows = landings.map((landing): LandingRow => {
    const past = carried.get(landing.id) ?? null
    const verdict = verdictFor(landing, past)
    return { ...landing, carried: past, verdict, text: textFor(landing, past, verdict, asked) }
  })
  rows.sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict) || excess(b) - excess(a))
  const form = nowhere.length > 0 ? 'nowhere' : formOf(rows)
  return { cluster, form, text: sentence(cluster, rows, nowhere, asked.days), rows, nowhere }
}

const ORDER: readonly LandingVerdict[] = ['above', 'unknown', 'carries', 'less']

function verdictFor({ now, after }: Landing, carried: Carried | null): LandingVerdict {
  if (after <= now) return 'less'
  if (carried === null || carried.judgedSteps === 0) return 'unknown'
  return after <= (carried.kept?.requestsPerSecond ?? 0) ? 'carries' : 'above'
}

function excess({ after, carried }: LandingRow): number {
  const kept = carried?.kept?.requestsPerSecond ?? 0
  return kept > 0 ? after / kept : after
}

function formOf(rows: readonly LandingRow[]): FailOver['form'] {
  const verdicts = rows.map(({ verdict }) => verdict)
  return verdicts.includes('above') ? 'above' : verdicts.includes('unknown') ? 'unknown' : 'carries'
}

function textFor({ now, after }: Landing, carried: Carried | null, verdict: LandingVerdict, asked: Asked): string {
  if (verdict === 'less') return `${perSecond(after)} instead of ${perSecond(now)}: who called it is gone`
  if (carried === null || carried.judgedSteps === 0) return 'what it has carried before is not known'
  const { kept, broke } = carried
  const within = carried.goals ? 'within its goals' : `within ${carried.heldTo}`
  if (kept === null) return `it was never ${within} in the last ${lasting(asked.days)}`
  const most = `${perSecond(kept.requestsPerSecond)} ${age(asked.atSeconds - kept.atSeconds)} ago`
  if (verdict === 'carries') return `has carried as much ${within}: ${most}`
  const more = `${times(after / kept.requestsPerSecond)} what it has carried ${within}: ${most}`
  return broke === null ? more : `${more}; at ${perSecond(broke.requestsPerSecond)} it had ${broke.why}`
}

function sentence(cluster: string, rows: readonly LandingRow[], nowhere: readonly Nowhere[], days: number): string {
  const gaining = rows.filter(({ verdict }) => verdict !== 'less')
  const above = gaining.filter(({ verdict }) => verdict === 'above')
  const unknown = gaining.filter(({ verdict }) => verdict === 'unknown')
  const [worst] = above
  const parts: string[] = []
  if (gaining.length === 0 && nowhere.length === 0) parts.push('nobody elsewhere gets more to do')
  if (worst !== undefined) {
    const all =
      above.length === 1
        ? '1 workload gets more than ever within its'
        : `${above.length} workloads get more than ever within their`
    parts.push(
      `${all} goals in the last ${lasting(days)}, most of all ${spoken(worst.id)}: ${perSecond(worst.after)} (now ${perSecond(worst.now)}), ${worst.text}`,
    )
  }
  if (unknown.length > 0) parts.push(`of ${unknown.length} it is not known what they have carried`)
  if (gaining.length > 0 && above.length === 0 && unknown.length === 0)
    parts.push(
      gaining.length === 1
        ? 'the one workload that gets more has carried as much within its goals'
        : `all ${gaining.length} workloads that get more have carried as much within their goals`,
    )
  parts.push(
    ...lostText(
      nowhere.filter(({ elsewhere }) => elsewhere.length === 0),
      (run) => `${run} nowhere else`,
    ),
    ...Object.entries(byClusters(nowhere)).flatMap(([clusters, those]) =>
      lostText(those, (run) => `${run} in ${clusters} too, which the split gives nothing`),
    ),
  )
  return `If ${cluster} goes, ${parts.join('; ')}.`
}

/** Those that run elsewhere as well, by where. */
function byClusters(nowhere: readonly Nowhere[]): Record<string, Nowhere[]> {
  const found: Record<string, Nowhere[]> = {}
  for (const one of nowhere) {
    if (one.elsewhere.length === 0) continue
    const clusters = one.elsewhere.join(' and ')
    found[clusters] = [...(found[clusters] ?? []), one]
  }
  return found
}

/** What has nowhere to go for the same reason. */
function lostText(nowhere: readonly Nowhere[], why: (run: string) => string): string[] {
  if (nowhere.length === 0) return []
  const total = nowhere.reduce((sum, one) => sum + one.requestsPerSecond, 0)
  const names = nowhere.slice(0, 3).map(({ id }) => spoken(id))
  const more = nowhere.length > 3 ? ` and ${nowhere.length - 3} more` : ''
  const reason = why(nowhere.length === 1 ? 'runs' : 'run')
  return [`${perSecond(total)} have nowhere to go: ${names.join(', ')}${more} ${reason}`]
}

function lasting(days: number): string {
  return days === 1 ? 'day' : `${days} days`
}
