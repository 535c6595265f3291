import type { ForwardedAnswer, Sample, SampleSeries, Told } from './api.ts'
import { JsonText } from './json-text.ts'
import { type Scanned, samplesOf, seriesOf } from './read-answer.ts'

type Labels = Sample['labels']

/** Label sets as tables of numbers: texts that occur often cross to another thread once. */
interface PackedLabels {
  readonly texts: readonly string[]
  /** Label names, as numbers of `texts`; most series of an answer have the same. */
  readonly shapes: readonly (readonly number[])[]
  /** One a series. */
  readonly shapeOf: Uint32Array<ArrayBuffer>
  /** Label values one after the other, in the order of the series and of their shapes. */
  readonly values: Uint32Array<ArrayBuffer>
}

type Remarks = Pick<Told<unknown>, 'warnings' | 'infos'>

/** An answer as it crosses from one thread to another: numbers in arrays that change hands without being copied. */
export type PackedAnswer =
  | {
      readonly kind: 'vector'
      /** Of each label set, which several samples may have. */
      readonly labels: PackedLabels
      readonly setOf: Uint32Array<ArrayBuffer>
      /** Texts of `le`; `boundOf` has one number a sample, 0 = none, else the number of its text plus one. */
      readonly bounds: readonly string[]
      readonly boundOf: Uint32Array<ArrayBuffer>
      readonly values: Float64Array<ArrayBuffer>
      readonly histograms: readonly (Sample['histogram'] | null)[] | null
      readonly remarks: Remarks
    }
  | {
      readonly kind: 'matrix'
      readonly labels: PackedLabels
      readonly setOf: Uint32Array<ArrayBuffer>
      readonly bounds: readonly string[]
      readonly boundOf: Uint32Array<ArrayBuffer>
      /** How many values each series has. */
      readonly lengths: Uint32Array<ArrayBuffer>
      readonly atSeconds: Float64Array<ArrayBuffer>
      readonly values: Float64Array<ArrayBuffer>
      readonly histograms: readonly (SampleSeries['histograms'] | null)[] | null
      readonly remarks: Remarks
    }
  | { readonly kind: 'forward'; readonly answer: ForwardedAnswer }

/** As it was read from its bytes. */
export function packScanned(scanned: Scanned): PackedAnswer {
  const { told: remarks } = scanned
  if (scanned.kind === 'vector') {
    const { sets, times: _, envelope: _all, ...vector } = scanned.vector
    return { kind: 'vector', ...vector, labels: packLabels(sets), histograms: null, remarks }
  }
  const { sets, envelope: _, ...matrix } = scanned.matrix
  return { kind: 'matrix', ...matrix, labels: packLabels(sets), histograms: null, remarks }
}

export function packVector({ data, ...remarks }: Told<readonly Sample[]>): PackedAnswer {
  return {
    kind: 'vector',
    labels: packLabels(data.map(({ labels }) => labels)),
    setOf: Uint32Array.from(data, (_, index) => index),
    ...packBounds(data),
    values: Float64Array.from(data, ({ value }) => value),
    histograms: data.some(({ histogram }) => histogram) ? data.map(({ histogram }) => histogram ?? null) : null,
    remarks,
  }
}

export function packMatrix({ data, ...remarks }: Told<readonly SampleSeries[]>): PackedAnswer {
  const count = data.reduce((sum, { values }) => sum + values.length, 0)
  const atSeconds = new Float64Array(count)
  const values = new Float64Array(count)
  let offset = 0
  for (const series of data) {
    atSeconds.set(series.atSeconds, offset)
    values.set(series.values, offset)
    offset += series.values.length
  }
  return {
    kind: 'matrix',
    labels: packLabels(data.map(({ labels }) => labels)),
    setOf: Uint32Array.from(data, (_, index) => index),
    ...packBounds(data),
    lengths: Uint32Array.from(data, (series) => series.values.length),
    atSeconds,
    values,
    histograms: data.some(({ histograms }) => histograms) ? data.map(({ histograms }) => histograms ?? null) : null,
    remarks,
  }
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
  if (packed.kind === 'forward') return []
  const { labels, setOf, boundOf, values } = packed
  const both = [labels.shapeOf.buffer, labels.values.buffer, setOf.buffer, boundOf.buffer, values.buffer]
  return packed.kind === 'vector' ? both : [...both, packed.lengths.buffer, packed.atSeconds.buffer]
}

export function unpackVector(packed: PackedAnswer & { kind: 'vector' }): Told<readonly Sample[]> {
  const { labels, histograms, ...vector } = packed
  const samples = samplesOf({ ...vector, sets: unpackLabels(labels) })
  const data = histograms === null ? samples : samples.map((sample, index) => withNative(sample, histograms[index]))
  return { data, ...packed.remarks }
}

export function unpackMatrix(packed: PackedAnswer & { kind: 'matrix' }): Told<readonly SampleSeries[]> {
  const { labels, histograms, ...matrix } = packed
  const all = seriesOf({ ...matrix, sets: unpackLabels(labels) })
  if (histograms === null) return { data: all, ...packed.remarks }
  const data = all.map((series, index) => {
    const natives = histograms[index]
    return natives ? { ...series, histograms: natives } : series
  })
  return { data, ...packed.remarks }
}

function withNative(sample: Sample, histogram: Sample['histogram'] | null): Sample {
  const { labels, le, value, values } = sample
  return histogram ? { labels, le, value, values, histogram } : sample
}

function packBounds(data: readonly Pick<Sample, 'le'>[]): {
  readonly bounds: readonly string[]
  readonly boundOf: Uint32Array<ArrayBuffer>
} {
  const numbers = new Map<string, number>()
  const boundOf = Uint32Array.from(data, ({ le }) => {
    if (le === undefined) return 0
    const known = numbers.get(le) ?? numbers.size + 1
    numbers.set(le, known)
    return known
  })
  return { bounds: [...numbers.keys()], boundOf }
}

function packLabels(all: readonly Labels[]): PackedLabels {
  const numbers = new Map<string, number>()
  const numberOf = (text: string) => {
    const known = numbers.get(text)
    if (known !== undefined) return known
    numbers.set(text, numbers.size)
    return numbers.size - 1
  }
  const shapes: number[][] = []
  const shapeNumbers = new Map<string, number>()
  const shapeOf = new Uint32Array(all.length)
  const values: number[] = []
  for (const [index, labels] of all.entries()) {
    const names = Object.keys(labels)
    const key = JSON.stringify(names)
    let shape = shapeNumbers.get(key)
    if (shape === undefined) {
      shape = shapes.length
      shapeNumbers.set(key, shape)
      shapes.push(names.map(numberOf))
    }
    shapeOf[index] = shape
    for (const name of names) values.push(numberOf(labels[name] ?? ''))
  }
  return { texts: [...numbers.keys()], shapes, shapeOf, values: Uint32Array.from(values) }
}

function unpackLabels({ texts, shapes, shapeOf, values }: PackedLabels): Labels[] {
  const names = shapes.map((shape) => shape.map((number) => texts[number] ?? ''))
  let at = 0
  return Array.from(shapeOf, (shape) => {
    const labels: Record<string, string> = {}
    for (const name of names[shape] ?? []) {
      // A label may be called anything, `__proto__` included.
      if (name === '__proto__')
        Object.defineProperty(labels, name, { value: texts[values[at] ?? 0] ?? '', enumerable: true })
      else labels[name] = texts[values[at] ?? 0] ?? ''
      at += 1
    }
    return labels
  })
}
