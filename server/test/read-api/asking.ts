import { expect } from 'vitest'
import { type RealPair, STEP_SECONDS } from './real-pair.ts'

/** What every answer is wrapped in. */
export interface Envelope {
  readonly status: string
  readonly data: never
  readonly errorType?: string
  readonly error?: string
  readonly warnings?: readonly string[]
  readonly infos?: readonly string[]
}

export type Metric = Record<string, string>
export type Series = { metric: Metric } & Record<string, unknown>

export interface Result {
  readonly resultType: string
  readonly result: readonly Series[]
}

export const fields = (given: Record<string, string | readonly string[]>) =>
  new URLSearchParams(
    Object.entries(given).flatMap(([name, value]) =>
      (typeof value === 'string' ? [value] : value).map((one): [string, string] => [name, one]),
    ),
  )

/** The read API of a running pair, and what its servers say of themselves; the pair is looked at when something is asked. */
export function asking(running: () => RealPair) {
  const prefix = () => `${running().goldseam.url}/prometheus`
  const ask = async (base: string, path: string, given: URLSearchParams, method = 'GET') => {
    const target = `${base}/api/v1/${path}`
    const response = await (method === 'GET' ? fetch(`${target}?${given}`) : fetch(target, { method, body: given }))
    return { status: response.status, body: (await response.json()) as Envelope }
  }
  const ours = (path: string, given: Parameters<typeof fields>[0], method?: string) =>
    ask(prefix(), path, fields(given), method)
  const data = async (path: string, given: Parameters<typeof fields>[0]) => {
    const { status, body } = await ours(path, given)
    expect(body).toMatchObject({ status: 'success' })
    expect(status).toBe(200)
    return body.data as unknown
  }
  const result = async (query: string, more: Record<string, string> = {}) =>
    (await data('query', { query, time: String(running().atSeconds), ...more })) as Result
  const infosOf = async (query: string) =>
    (await ours('query', { query, time: String(running().atSeconds) })).body.infos ?? []
  const range = () => ({
    start: String(running().atSeconds - 300),
    end: String(running().atSeconds),
    step: String(STEP_SECONDS),
  })

  /** Every cluster's own answer, with its name put into the series. */
  const separately = async (path: string, given: Record<string, string>, clusters = [...running().urls.keys()]) => {
    const answers = await Promise.all(
      clusters.map(async (cluster) => {
        const { body } = await ask(running().urls.get(cluster) ?? '', path, fields(given))
        const { resultType, result } = body.data as Result
        return { resultType, rows: result.map((row) => ({ ...row, metric: { ...row.metric, cluster } })) }
      }),
    )
    return { resultType: answers[0]?.resultType, result: sorted(answers.flatMap(({ rows }) => rows)) }
  }
  return { prefix, ask, ours, data, result, infosOf, range, separately }
}

export function sorted(rows: readonly Series[]): Series[] {
  const key = ({ metric }: Series) => JSON.stringify(Object.entries(metric).sort())
  return rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}
