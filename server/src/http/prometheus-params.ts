import { badParameter, ReadFailure } from '../federation/read-api/read-failure.ts'

/** Form fields before query parameters, as Go's `FormValue` has them. Every failure is worded as Prometheus words it. */
export class PrometheusParams {
  readonly #fields: URLSearchParams

  constructor(form: string, query: string) {
    this.#fields = new URLSearchParams([...new URLSearchParams(form), ...new URLSearchParams(query)])
  }

  text(name: string): string {
    return this.#fields.get(name) ?? ''
  }

  texts(name: string): readonly string[] {
    return this.#fields.getAll(name)
  }

  /** The fields of these names that were given, as they were given. */
  given(names: readonly string[]): [string, string][] {
    return names.flatMap((name) => {
      const text = this.text(name)
      return text === '' ? [] : [[name, text] as [string, string]]
    })
  }

  /** Cluster names, separated by commas or given again; null = none was named. */
  get clusters(): readonly string[] | null {
    const names = this.texts('c').flatMap((text) => text.split(',').filter((name) => name !== ''))
    return names.length === 0 ? null : [...new Set(names)]
  }

  /** `join=1`: one answer over all clusters, where it can be made of each one's. */
  get join(): boolean {
    const text = this.text('join')
    if (text !== '' && text !== '0' && text !== '1') failWith('join', 'use 1 or 0')
    return text === '1'
  }

  /** Unix seconds; `fallback` where it was not given. */
  time(name: string, fallback: number): number {
    const text = this.text(name)
    if (text === '') return fallback
    return timeOf(text) ?? failWith(name, `invalid time value for '${name}': ${noTime(text)}`)
  }

  /** Unix seconds of a parameter that has to be there. */
  neededTime(name: string): number {
    return timeOf(this.text(name)) ?? failWith(name, noTime(this.text(name)))
  }

  /** Seconds. */
  duration(name: string): number {
    const text = this.text(name)
    return secondsOf(text) ?? failWith(name, `cannot parse ${JSON.stringify(text)} to a valid duration`)
  }

  /** Null where it was not given. */
  optionalDuration(name: string): number | null {
    return this.text(name) === '' ? null : this.duration(name)
  }

  /** 0 = no limit. */
  get limit(): number {
    const noInteger = (text: string) =>
      badParameter('limit', `strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`)
    const limit = this.integer('limit', noInteger, 0)
    return limit < 0 ? failWith('limit', 'limit must be non-negative') : limit
  }

  integer(name: string, failure: (text: string) => ReadFailure, fallback: number): number {
    const text = this.text(name)
    if (text === '') return fallback
    if (!/^[+-]?\d{1,15}$/.test(text)) throw failure(text)
    return Number(text)
  }
}

/** Of one series, in any Prometheus. */
const PROMETHEUS_POINTS = 11_000

/** `start`, `end` and `step` of a range query, checked as Prometheus checks them; `maxPoints`: of one series. */
export function rangeOf(params: PrometheusParams, maxPoints: number): [string, string][] {
  const start = params.neededTime('start')
  const end = params.neededTime('end')
  if (end < start) failWith('end', 'end timestamp must not be before start time')
  const step = params.duration('step')
  if (step <= 0)
    failWith('step', 'zero or negative query resolution step widths are not accepted. Try a positive integer')
  if (Math.floor((end - start) / step) > maxPoints) throw new ReadFailure('bad_data', tooFine(maxPoints))
  return [
    ['start', String(start)],
    ['end', String(end)],
    ['step', String(step)],
  ]
}

/** In Prometheus' own words, unless the limit is not its own. */
function tooFine(maxPoints: number): string {
  const ours = maxPoints < PROMETHEUS_POINTS ? ' (limits.maxPoints)' : ''
  const most = maxPoints.toLocaleString('en')
  return `exceeded maximum resolution of ${most} points per timeseries${ours}. Try decreasing the query resolution (?step=XX)`
}

function failWith(name: string, message: string): never {
  throw badParameter(name, message)
}

function noTime(text: string): string {
  return `cannot parse ${JSON.stringify(text)} to a valid timestamp`
}

const FLOAT = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([.,]\d+)?(Z|[+-]\d\d:\d\d)$/

function timeOf(text: string): number | null {
  if (FLOAT.test(text)) return Math.round(Number(text) * 1_000) / 1_000
  const milliseconds = RFC_3339.test(text) ? Date.parse(text.replace(',', '.')) : Number.NaN
  return Number.isNaN(milliseconds) ? null : milliseconds / 1_000
}

const DURATION = /^(?:(\d+)y)?(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/
const UNIT_SECONDS = [31_536_000, 604_800, 86_400, 3_600, 60, 1, 0.001]

/** Seconds as a number, or units from large to small: `1h30m`. */
function secondsOf(text: string): number | null {
  if (FLOAT.test(text)) return Number(text)
  if (text === '0') return 0
  const parts = text === '' ? null : DURATION.exec(text)
  if (parts === null) return null
  return UNIT_SECONDS.reduce((sum, unit, index) => sum + unit * Number(parts[index + 1] ?? 0), 0)
}
