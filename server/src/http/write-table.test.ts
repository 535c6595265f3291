import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Fleet, Workload, withRows } from '../contract/index.ts'
import { Tabled, Written } from './written.ts'

/** A schema, and what fits it. */
interface Drawn {
  readonly schema: z.ZodType
  readonly value: fc.Arbitrary<unknown>
}

const leaf: fc.Arbitrary<Drawn> = fc.constantFrom<Drawn>(
  { schema: z.number(), value: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { schema: z.string(), value: fc.string() },
  { schema: z.array(z.number().nullable()), value: fc.array(fc.option(fc.integer()), { maxLength: 3 }) },
  { schema: z.enum(['ok', 'crit']), value: fc.constantFrom('ok', 'crit') },
)

/** Names that a table has itself are names like any other. */
const NAMES = ['id', 'is', 'of', 'rows', 'columns']

const { object } = fc.letrec<{ object: Drawn; member: Drawn }>((tie) => ({
  object: fc.dictionary(fc.constantFrom(...NAMES), tie('member'), { maxKeys: 4 }).map((members) => {
    const parts = Object.entries(members)
    return {
      schema: z.object(Object.fromEntries(parts.map(([name, { schema }]) => [name, schema]))),
      // What is absent has no name, as in JSON.
      value: fc.record(Object.fromEntries(parts.map(([name, { value }]) => [name, value]))),
    }
  }),
  member: fc
    .tuple(
      fc.oneof({ maxDepth: 3, withCrossShrink: true }, leaf, tie('object')),
      fc.constantFrom('required', 'nullable', 'optional', 'both'),
    )
    .map(([{ schema, value }, kind]) => {
      if (kind === 'nullable') return { schema: schema.nullable(), value: fc.option(value) }
      if (kind === 'optional') return { schema: schema.optional(), value: fc.option(value, { nil: undefined }) }
      if (kind === 'required') return { schema, value }
      return { schema: schema.nullable().optional(), value: fc.oneof(value, fc.constantFrom(null, undefined)) }
    }),
}))

const drawn = object.chain(({ schema, value }) =>
  fc.record({
    row: fc.constant(schema as z.ZodObject),
    some: fc.array(value as fc.Arbitrary<Record<string, unknown>>, { maxLength: 7 }),
    // Enough for several slices of a column.
    times: fc.constantFrom(1, 40),
  }),
)

function throughTable<Row extends object>(row: z.ZodObject & z.ZodType<Row>, rows: readonly Row[]): unknown {
  const written = new Written<{ rows: Row[] }>({ rows: new Tabled(row, () => rows) })
  const sent = JSON.parse([...written.json()].join(''))
  expect(sent).toMatchObject({ rows: { rows: rows.length, columns: expect.any(Object) } })
  return withRows(z.object({ rows: z.array(row) }), sent)
}

describe('rows that are written as a table', () => {
  test('are read as the rows that JSON would give', () => {
    fc.assert(
      fc.property(drawn, ({ row, some, times }) => {
        const rows = Array.from({ length: times }, () => some).flat()
        expect(throughTable(row, rows)).toStrictEqual(JSON.parse(JSON.stringify({ rows })))
      }),
    )
  })

  test('are the workloads of a fleet, whatever of them is not known', () => {
    const rows = [full, bare, { ...full, id: 'east/shop/other', heldTo: null }]
    for (const row of rows) expect(Workload.parse(row)).toEqual(row)
    expect(throughTable(Workload, rows)).toStrictEqual({ rows: JSON.parse(JSON.stringify(rows)) })
    expect(Fleet.shape.workloads.element).toBe(Workload)
  })
})

const golden = {
  requestsPerSecond: 45.7212,
  failuresPerSecond: 0,
  successRatio: 1,
  sampleCount: 2743.2,
  percentiles: { sampleCount: 2743.2, ageSeconds: 0 },
  inFlight: 1.981,
  latencySeconds: { mean: 0.04332, p50: 0.031687, p95: 0.13747, p99: 0.20093, p999: null },
}

const full: Workload = {
  id: 'east/shop/web',
  cluster: 'east',
  namespace: 'shop',
  kind: 'deployment',
  name: 'web',
  role: 'workload',
  pods: 3,
  truth: 'value',
  truths: {
    requestsPerSecond: 'value',
    successRatio: 'value',
    mean: 'value',
    p50: 'value',
    p95: 'value',
    p99: 'value',
    p999: 'lowSample',
  },
  bounds: { p50: [0.03, 0.04], p95: [0.1, 0.2], p99: [50, null], p999: null },
  now: golden,
  usual: golden,
  ageSeconds: null,
  own: { seconds: 0.1, lowSeconds: 0.05, highSeconds: 0.2, of: 'east/shop/api', share: 0.9, ofSelf: 1, reason: null },
  health: 'crit',
  heldTo: {
    mean: [0.0438, null],
    failures: null,
    tooFewBelow: 20,
    goals: [{ measure: 'p99', goal: 0.5, verdict: 'met' }],
  },
  change: '++',
  changeRatio: 4.5,
  onset: '2026-11-23T19:56:15.000Z',
  suspectRank: 1,
  via: null,
  tcp: { bytesPerSecondIn: 33_300, bytesPerSecondOut: null, openConnections: 24 },
  signals: [{ name: 'retriesPerSecond', value: 2, text: '2 retries a second' }],
  seenBy: ['linkerd'],
  rateIs: 'exact',
  successIs: 'atLeast',
  inFlightIs: 'steady',
  limitLeft: null,
  notes: ['says "slow"'],
  trend: {
    from: '2026-11-23T19:56:15.000Z',
    stepSeconds: 30,
    p99Seconds: [0.13, null],
    usualP99Seconds: [0.1, 0.2],
  },
}

const { heldTo: _heldTo, inFlightIs: _inFlightIs, limitLeft: _limitLeft, ...known } = full
const bare: Workload = {
  ...known,
  id: 'east/shop/idle',
  pods: null,
  now: { ...golden, successRatio: null, percentiles: null },
  usual: { ...golden, percentiles: null },
  tcp: null,
  signals: [],
  notes: [],
  trend: { ...full.trend, p99Seconds: [], usualP99Seconds: null },
}
