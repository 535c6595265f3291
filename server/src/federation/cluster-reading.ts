import type { ClusterView } from '../domain/assess.ts'
import type { ClusterSummary, Gap } from './snapshot.ts'

export interface ClusterReading {
  readonly view: ClusterView
  readonly summary: ClusterSummary
  readonly gaps: readonly Gap[]
  /** The same reading when the rest of it has come in; absent: it is whole. Never rejects but for an abort. */
  readonly later?: Promise<ClusterReading>
}

/** A good reading as it looks so much later. */
export function aged(reading: ClusterReading, ageSeconds: number): ClusterReading {
  const { view, summary } = reading
  if (view.state !== 'current') return reading
  return { ...reading, view: { ...view, ageSeconds }, summary: { ...summary, ageSeconds } }
}
