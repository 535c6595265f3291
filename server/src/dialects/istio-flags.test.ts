import { RE2JS } from 're2js'
import { expect, test } from 'vitest'
import { labelsApart } from '../domain/apart.ts'
import type { SeriesColumn } from './dialect.ts'
import { istio } from './istio.ts'
import { readAtOnce } from './read-series.ts'

const CALL = {
  reporter: 'source',
  source_workload: 'web',
  source_workload_namespace: 'shop',
  destination_workload: 'cart',
  destination_workload_namespace: 'shop',
}

/** What is told of the callee, by what the label `response_flags` says of calls at these rates. */
function factsOf(flags: Readonly<Record<string, number>>): Record<string, number | undefined> {
  const series = Object.entries(flags).map(
    ([flag, rate]): SeriesColumn => ({
      ...labelsApart({ ...CALL, response_flags: flag }),
      values: Float64Array.of(rate),
    }),
  )
  const { signals } = readAtOnce(istio, 'east', 1, new Map([['flags', series]]))
  return Object.fromEntries([...(signals.get('east/shop/cart') ?? [])].map(([name, values]) => [name, values[0]]))
}

test('Envoy joins what it has to say of one call: each of it is a fact, in either order', () => {
  expect(factsOf({ 'UF,URX': 3, 'URX,UF': 4, UF: 1, 'DC,UO': 2 })).toEqual({
    connectFailuresPerSecond: 8,
    retryOverflowsPerSecond: 7,
    overflowsPerSecond: 2,
  })
})

test('a call of which the same is said in two ways is one call', () => {
  expect(factsOf({ 'UF,UH': 5, 'UC,UR,LR': 6 })).toEqual({ connectFailuresPerSecond: 5, resetsPerSecond: 6 })
})

test('calls are asked for wherever one of the codes stands among others, and nowhere else', () => {
  const promql = istio.questions(60, []).find(({ name }) => name === 'flags')?.promql ?? ''
  const asked = RE2JS.compile(/response_flags=~"([^"]*)"/.exec(promql)?.[1] ?? '')
  const isAsked = (flags: string) => asked.matches(flags)
  expect(['UF', 'UF,URX', 'URX,UF', 'DC,UT', 'DC,UT,DI', 'UAEX'].filter((flags) => !isAsked(flags))).toEqual([])
  expect(['', '-', 'DC', 'DC,DI', 'UFX', 'XUF', 'DC,XUF', 'UMSDR'].filter(isAsked)).toEqual([])
})
