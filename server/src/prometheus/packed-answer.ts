import type { LabelsApart } from '../domain/apart.ts'
import type { Listed } from '../domain/listed.ts'
import type { ForwardedAnswer, Sample, SampleSeries, Told } from './api.ts'
import { JsonText } from './json-text.ts'
import type { KnownLabels, LabelTables } from './known-labels.ts'
import { type PackedLabels, packLabels, unpackLabels } from './packed-labels.ts'
import { type Scanned, samplesOf, seriesOf } from './read-answer.ts'

/** What the numbers of an answer stand for. */
interface PackedTables {
  readonly sets: PackedLabels
  readonly aparts: PackedLabels
  /**
   * `own`: of this answer alone. Else they follow those that were sent before for the same endpoint, or (`anew`) those
   * are forgotten.
   */
  readonly follow: 'own' | 'known' | 'anew'
}

type Remarks = Pick<Told<unknown>, 'warnings' | 'infos'>

/** An answer as it crosses from one thread to another: numbers in arrays that change hands without being copied. */
export type PackedAnswer =
  | ({ readonly kind: 'vector'; readonly histograms: readonly (Sample['histogram'] | null)[] | null } & PackedSeries)
  | ({
      readonly kind: 'matrix'
      /** How many values each series has. */
      readonly steps: number
      readonly histograms: readonly (SampleSeries['histograms'] | null)[] | null
    } & PackedSeries)
  | { readonly kind: 'forward'; readonly answer: ForwardedAnswer }
  /** Names and pages about the server. */
  | { readonly kind: 'told'; readonly answer: Told<unknown> }

interface PackedSeries {
  readonly tables: PackedTables
  /** One a series, as `apartOf`: numbers of `tables`. */
  readonly setOf: Uint32Array<ArrayBuffer>
  readonly apartOf: Uint32Array<ArrayBuffer>
  readonly values: Float64Array<ArrayBuffer>
  readonly remarks: Remarks
}

/** As it was read from its bytes. Sets that are known since the last answer are handed over with it. */
export function packScanned(scanned: Scanned, known: KnownLabels, handedOver: HandedOver): PackedAnswer {
  const { told: remarks } = scanned
  const tables: PackedTables = {
    sets: packLabels(known.sets.handOver(handedOver.sets)),
    aparts: packLabels(known.aparts.handOver(handedOver.aparts)),
    follow: handedOver.sets + handedOver.aparts === 0 ? 'anew' : 'known',
  }
  handedOver.sets = known.sets.size
  handedOver.aparts = known.aparts.size
  if (scanned.kind === 'vector') {
    const { times: _, envelope: _all, ...vector } = scanned.vector
    return { kind: 'vector', ...vector, tables, histograms: null, remarks }
  }
  const { envelope: _, ends: _all, ...matrix } = scanned.matrix
  return { kind: 'matrix', ...matrix, tables, histograms: null, remarks }
}

/** How many of the known ones the other thread has. */
export interface HandedOver {
  sets: number
  aparts: number
}

export function packVector({ data, ...remarks }: Told<Listed<Sample>>): PackedAnswer {
  const all = [...data]
  return {
    kind: 'vector',
    ...ownTables(all),
    values: Float64Array.from(all, ({ value }) => value),
    histograms: all.some(({ histogram }) => histogram) ? all.map(({ histogram }) => histogram ?? null) : null,
    remarks,
  }
}

export function packMatrix({ data, ...remarks }: Told<Listed<SampleSeries>>): PackedAnswer {
  const all = [...data]
  const steps = all[0]?.values.length ?? 0
  const values = new Float64Array(all.length * steps)
  for (const [index, series] of all.entries()) values.set(series.values, index * steps)
  return {
    kind: 'matrix',
    ...ownTables(all),
    steps,
    values,
    histograms: all.some(({ histograms }) => histograms) ? all.map(({ histograms }) => histograms ?? null) : null,
    remarks,
  }
}

function ownTables(data: readonly LabelsApart[]): Pick<PackedSeries, 'tables' | 'setOf' | 'apartOf'> {
  const sets = packLabels(data.map(({ labels }) => labels))
  const aparts = packLabels(data.map(({ apart }) => apart as LabelsApart['labels']))
  const numbers = Uint32Array.from(data, (_, index) => index)
  return { tables: { sets, aparts, follow: 'own' }, setOf: numbers, apartOf: numbers.slice() }
}

/** The samples of range answers stay text: whoever they are handed on to reads them. */
export function packForwarded(answer: ForwardedAnswer): PackedAnswer {
  if (answer.state === 'refused' || !isMatrix(answer.data)) return { kind: 'forward', answer }
  const result = answer.data.result.map(({ metric, ...rest }) => ({
    metric,
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, JSON.stringify(value)])),
  }))
  return { kind: 'forward', answer: { ...answer, data: { ...answer.data, result } } }
}

export function unpackForwarded(answer: ForwardedAnswer): ForwardedAnswer {
  if (answer.state === 'refused' || !isMatrix(answer.data)) return answer
  const result = answer.data.result.map(({ metric, ...rest }) => ({
    metric,
    ...Object.fromEntries(Object.entries(rest).map(([name, text]) => [name, new JsonText(String(text))])),
  }))
  return { ...answer, data: { ...answer.data, result } }
}

function isMatrix(data: unknown): data is { readonly result: readonly Readonly<Record<string, unknown>>[] } {
  const { resultType, result } = (data ?? {}) as { resultType?: unknown; result?: unknown }
  if (resultType !== 'matrix' || !Array.isArray(result)) return false
  return result.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row))
}

/** What need not be copied on its way. */
export function transferables(packed: PackedAnswer): ArrayBuffer[] {
  if (packed.kind === 'forward' || packed.kind === 'told') return []
  const { tables, setOf, apartOf, values } = packed
  const labels = [tables.sets, tables.aparts].flatMap((one) => [one.shapeOf.buffer, one.values.buffer])
  return [...labels, setOf.buffer, apartOf.buffer, values.buffer]
}

/** The labels of one endpoint's answers, as another thread hands them over. */
export class HandedLabels {
  #sets: LabelsApart['labels'][] = []
  #aparts: LabelsApart['apart'][] = []

  /** What the numbers of an answer stand for; to be called with each of them, in the order in which they were packed. */
  take({ sets, aparts, follow }: PackedTables): LabelTables {
    if (follow === 'own') return { sets: unpackLabels(sets), aparts: unpackLabels(aparts) }
    if (follow === 'anew') [this.#sets, this.#aparts] = [[], []]
    for (const labels of unpackLabels(sets)) this.#sets.push(labels)
    for (const apart of unpackLabels(aparts)) this.#aparts.push(apart)
    return { sets: this.#sets, aparts: this.#aparts }
  }
}

export function unpackVector(packed: PackedAnswer & { kind: 'vector' }, tables: LabelTables): Told<Listed<Sample>> {
  const { histograms, remarks } = packed
  const samples = samplesOf(packed, tables)
  if (histograms === null) return { data: samples, ...remarks }
  const data = Array.from(samples, (sample, index) => withNative(sample, histograms[index]))
  return { data, ...remarks }
}

export function unpackMatrix(
  packed: PackedAnswer & { kind: 'matrix' },
  tables: LabelTables,
): Told<Listed<SampleSeries>> {
  const { histograms, remarks } = packed
  const all = seriesOf(packed, tables)
  if (histograms === null) return { data: all, ...remarks }
  const data = Array.from(all, (series, index) => {
    const natives = histograms[index]
    return natives ? { ...series, histograms: natives } : series
  })
  return { data, ...remarks }
}

function withNative(sample: Sample, histogram: Sample['histogram'] | null): Sample {
  const { labels, apart, value, values } = sample
  return histogram ? { labels, apart, value, values, histogram } : sample
}
