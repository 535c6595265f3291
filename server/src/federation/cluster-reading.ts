import type { ClusterView } from '../domain/assess.ts'
import type { ClusterSummary, Gap } from './snapshot.ts'

/** What one cluster told for one instant. */
export interface ClusterReading {
  readonly view: ClusterView
  readonly summary: ClusterSummary
  readonly gaps: readonly Gap[]
  /** The same reading when the rest of it has come in; absent: it is whole. Never rejects but for an abort. */
  readonly later?: Promise<ClusterReading>
  /** What is still to be asked for of the past, once everybody has told the present. Never rejects. */
  readonly past?: {
    /** Without it usual values are missing, and not only the newest steps of a trend. */
    readonly much: boolean
    /** So long it will take at least; 0 where nothing is known of it. */
    readonly atLeastSeconds: number
    ask(): Promise<ClusterReading>
  }
}

/** A good reading as it looks so much later, and whatever comes in of it then. */
export function aged(reading: ClusterReading, ageSeconds: number): ClusterReading {
  const { view, summary, later, past } = reading
  if (view.state !== 'current') return reading
  const percentilesAgeSeconds =
    summary.percentilesAgeSeconds === null ? null : summary.percentilesAgeSeconds + ageSeconds
  const then = (whole: ClusterReading) => aged(whole, ageSeconds)
  return {
    ...reading,
    view: { ...view, ageSeconds },
    summary: { ...summary, ageSeconds, percentilesAgeSeconds },
    ...(later && { later: later.then(then) }),
    ...(past && { past: { ...past, ask: () => past.ask().then(then) } }),
  }
}
