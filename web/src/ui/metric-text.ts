import type { Truth } from '@goldseam/server/contract'
import { lasting, spokenAge } from '../format/age.ts'
import { bucketRange, latency, latencyBound, latencyDelta } from '../format/latency.ts'
import { printed, type Quantity } from '../format/quantity.ts'
import { callsPerRequest, inFlight, perSecond, shortCount } from '../format/rate.ts'
import { ratio, share } from '../format/ratio.ts'
import { errorRate, success } from '../format/success.ts'

export type MetricKind =
  | 'latency'
  | 'latencyDelta'
  | 'rate'
  | 'success'
  | 'errorRate'
  | 'ratio'
  | 'share'
  | 'inFlight'
  | 'callsPerRequest'

export interface Reading {
  readonly kind: MetricKind
  readonly value: number | null
  readonly truth?: Truth | undefined
  /** What is measured, for tooltip and ear: "p99", "success". */
  readonly label?: string | undefined
  readonly ageSeconds?: number | null | undefined
  readonly sampleCount?: number | null | undefined
  /** How much older a good number is than those beside it. */
  readonly olderSeconds?: number | null | undefined
  /** Bounds of the bucket it fell into, seconds; the upper one null beyond the last. */
  readonly bucket?: readonly [number, number | null] | null | undefined
  /** For a number put together from several clusters. */
  readonly parts?: { readonly seen: number; readonly total: number; readonly missing: string } | undefined
  /** There may be more than was counted: of requests, or of failures, whose first of a kind is not seen. */
  readonly atLeast?: boolean | undefined
  /** Worked out from numbers that still move. */
  readonly estimate?: boolean | undefined
  readonly why?: string | null | undefined
}

export interface MetricText {
  readonly truth: Truth
  readonly before: string
  readonly quantity: Quantity | null
  readonly words: string
  readonly aside: string
  readonly spoken: string
  readonly tooltip: string
}

/** What stands in each of the eight states, for the eye, the ear and the tooltip. No two states read alike. */
export function metricText(reading: Reading): MetricText {
  const truth = settledTruth(reading)
  const { label, sampleCount } = reading
  const quantity = reading.value === null ? null : shownQuantity(reading, reading.value)
  const base = { truth, before: '', quantity, words: '', aside: '', ...withLabel(label, quantity) }
  switch (truth) {
    case 'value':
      if (reading.atLeast && quantity !== null) return atLeastText(base, reading, quantity)
      if (reading.estimate) return lowSampleText(base, reading)
      return { ...base, tooltip: `${base.tooltip}${inBucket(reading)}${samples(sampleCount)}${older(reading)}` }
    case 'zero':
      return { ...base, ...withLabel(label, quantity, 'zero', 'measured zero') }
    case 'noTraffic':
      return words(base, label, 'no traffic', 'no traffic in window')
    case 'neverSeen':
      return words(base, label, '--', `no such metric${reading.why ? `: ${reading.why}` : ''}`)
    case 'stale':
      return staleText(base, reading)
    case 'partial':
      return partialText(base, reading)
    case 'lowSample':
      return lowSampleText(base, reading)
    case 'offScale':
      return offScaleText(base, reading)
    default:
      return truth satisfies never
  }
}

/** As many requests as there were, one failure more than was seen. */
function shownQuantity({ kind, sampleCount, atLeast }: Reading, value: number): Quantity {
  const count = sampleCount ?? null
  if (kind !== 'success' || !atLeast) return quantityOf(kind, value, count)
  return quantityOf(kind, count === null || count <= 1 ? 0 : Math.max(0, value - 1 / count), count)
}

function atLeastText(
  base: MetricText,
  { kind, label, sampleCount }: Reading,
  { digits, spoken }: Quantity,
): MetricText {
  // Beyond 99.999 the quantity says "more than" itself.
  const before = digits.startsWith('>') ? '' : '\u2265 '
  const why = kind === 'rate' ? 'not every request is sampled' : 'the first failure of a kind is not seen here'
  return {
    ...base,
    before,
    spoken: prefixed(label, `at least ${spoken}`),
    tooltip: `${base.tooltip}: at least; ${why}${samples(sampleCount)}`,
  }
}

/** A truth that promises a number without one is read as "never seen": no invented digits. */
function settledTruth({ truth, value }: Reading): Truth {
  if (truth === undefined) return value === null ? 'neverSeen' : 'value'
  if (value !== null || truth === 'lowSample') return truth
  return truth === 'noTraffic' || truth === 'neverSeen' ? truth : truth === 'stale' ? 'stale' : 'neverSeen'
}

function words(base: MetricText, label: string | undefined, text: string, spoken: string): MetricText {
  return { ...base, quantity: null, words: text, spoken: prefixed(label, spoken), tooltip: prefixed(label, spoken) }
}

function staleText(base: MetricText, { ageSeconds, label }: Reading): MetricText {
  const known = ageSeconds ?? null
  const spoken = `${base.quantity ? `${base.quantity.spoken}, ` : ''}stale${known === null ? '' : `, ${spokenAge(known)} old`}`
  return {
    ...base,
    words: base.quantity ? '' : 'stale',
    aside: known === null ? 'stale' : `${lasting(known)} ago`,
    spoken: prefixed(label, spoken),
    tooltip: `${base.tooltip}: last good value${known === null ? '' : `, ${lasting(known)} old`}`,
  }
}

function partialText(base: MetricText, { parts, label }: Reading): MetricText {
  const from = parts
    ? `from ${parts.seen} of ${parts.total} clusters, ${parts.missing} missing`
    : 'partial: a part is missing'
  return {
    ...base,
    aside: parts ? `${parts.seen}/${parts.total}` : 'part',
    spoken: prefixed(label, `${base.quantity?.spoken ?? ''}, ${from}`),
    tooltip: `${base.tooltip} (${from})`,
  }
}

function lowSampleText(base: MetricText, { label, sampleCount }: Reading): MetricText {
  const behind = sampleCount == null ? '' : `, ${shortCount(sampleCount)} requests`
  if (base.quantity === null) {
    const count = sampleCount == null ? '' : ` (${shortCount(sampleCount)})`
    return words(base, label, `too few${count}`, `too few requests to tell${behind}`)
  }
  const spoken = `estimate, ${base.quantity.spoken}${behind}`
  return { ...base, before: '~', spoken: prefixed(label, spoken), tooltip: `${base.tooltip}: an estimate${behind}` }
}

function offScaleText(base: MetricText, { label, value, bucket }: Reading): MetricText {
  // The number sent is the last finite bound: exact, so it prints without decimals.
  const bound = latencyBound(bucket?.[0] ?? value ?? 0)
  const spoken = prefixed(label, `more than ${bound.spoken}`)
  return { ...base, before: '> ', quantity: bound, spoken, tooltip: `${spoken}: beyond the last bucket` }
}

function withLabel(label: string | undefined, quantity: Quantity | null, spoken?: string, tooltip?: string) {
  return {
    spoken: prefixed(label, spoken ?? quantity?.spoken ?? ''),
    tooltip: prefixed(label, tooltip ?? (quantity ? printed(quantity) : '')),
  }
}

function prefixed(label: string | undefined, text: string): string {
  return label ? `${label} ${text}` : text
}

function inBucket({ bucket }: Reading): string {
  return bucket ? ` (bucket ${printed(bucketRange(bucket[0], bucket[1]))})` : ''
}

function older({ olderSeconds }: Reading): string {
  return !olderSeconds || olderSeconds < 0.5 ? '' : `, measured ${lasting(olderSeconds)} earlier than the rates`
}

function samples(sampleCount: number | null | undefined): string {
  return sampleCount == null ? '' : `, ${shortCount(sampleCount)} requests in the window`
}

function quantityOf(kind: MetricKind, value: number, sampleCount: number | null): Quantity {
  switch (kind) {
    case 'latency':
      return latency(value)
    case 'latencyDelta':
      return latencyDelta(value)
    case 'rate':
      return perSecond(value)
    case 'success':
      return success(value, sampleCount === null || value === 1 ? null : Math.max(1, sampleCount * (1 - value)))
    case 'errorRate':
      return errorRate(value)
    case 'ratio':
      return ratio(value)
    case 'share':
      return share(value)
    case 'inFlight':
      return inFlight(value)
    case 'callsPerRequest':
      return callsPerRequest(value)
    default:
      return kind satisfies never
  }
}
