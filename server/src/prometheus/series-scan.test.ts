import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allLabels } from '../domain/apart.ts'
import { KnownLabels } from './known-labels.ts'
import { readAnswer, readScanned, type Wanted } from './read-answer.ts'

const AT = 1_700_000_000.25
const head = { status: 200, contentType: 'application/json', retryAfter: '', date: '', receivedAtSeconds: AT }
const vector = { kind: 'vector', maxSeries: 10_000, atSeconds: AT } as const
const matrix = {
  kind: 'matrix',
  maxSeries: 10_000,
  range: { fromSeconds: AT, toSeconds: AT + 60, stepSeconds: 15 },
} as const

type Pair = readonly [number, string]
type Row = { readonly metric: Record<string, string> } & (
  | { readonly value: Pair }
  | { readonly values: readonly Pair[] }
)

const textOf = (resultType: string, result: readonly Row[]) =>
  JSON.stringify({ status: 'success', data: { resultType, result }, warnings: ['w'] })
/** As `JSON.parse` has it: a layout with a space is none that is scanned. */
const parsedBy = (text: string, wanted: Wanted) =>
  readAnswer(head, Buffer.from(text.replace('{"status":', '{"status": ')), wanted)
const scannedBy = (text: string, wanted: Wanted) => readAnswer(head, Buffer.from(text), wanted)
const isScanned = (text: string, wanted: Wanted) => {
  try {
    return readScanned(head, Buffer.from(text), wanted, new KnownLabels()) !== null
  } catch {
    return true
  }
}
const isList = (one: unknown): one is Iterable<unknown> =>
  typeof one === 'object' && one !== null && Symbol.iterator in one
/** Numbers and series as plain lists, however they are held. */
const plain = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (_, one: unknown) =>
      typeof one === 'number' ? `number ${one}` : isList(one) ? [...one] : one,
    ),
  )
const outcome = (read: () => unknown) => {
  try {
    return plain(read())
  } catch (error) {
    return (error as { kind: string }).kind
  }
}

const name = fc.constantFrom(
  'a',
  'le',
  'l',
  'ee',
  'lee',
  'part',
  'trap',
  'counted',
  'classification',
  '__name__',
  'grün',
)
const value = fc.oneof(fc.constantFrom('', '0.5', '+Inf', 'le', '1e+06', 'x,y', '}]', 'ü𝒳'), fc.string())
const number = fc.oneof(
  fc.double().map((one) =>
    String(one)
      .replace(/^Infinity/, '+Inf')
      .replace('-Infinity', '-Inf'),
  ),
  fc.integer().map(String),
  fc.tuple(fc.nat(), fc.nat()).map((parts) => parts.join('.')),
  fc.constantFrom('NaN', '+Inf', '-Inf', '1.2345678901234567e-300', '0.1000', '123456789012345', '1234567890.1234567'),
)
const pair = fc.tuple(fc.constantFrom(AT, AT + 1, 17e8, AT + 15.123), number)
const metric = fc.dictionary(name, value)
/** No series is told twice, in whatever order of its labels. */
const once = { selector: (row: Row) => JSON.stringify(Object.entries(row.metric).sort()) }

const one: Row[] = [{ metric: { a: 'x', le: '1' }, value: [AT, '2'] }]
const kinds = [
  {
    wanted: vector,
    rows: fc.uniqueArray(fc.record({ metric, value: pair }), once),
    two: textOf('vector', [...one, { metric: { a: 'x', le: '+Inf', z: '' }, value: [AT, '3.5'] }]),
  },
  {
    wanted: matrix,
    rows: fc.uniqueArray(fc.record({ metric, values: fc.array(pair) }), once),
    two: textOf('matrix', [
      { metric: { a: 'x', le: '1' }, values: [] },
      { metric: { le: '+Inf' }, values: [[AT, '3.5'] as const, [AT + 15, 'NaN'] as const] },
    ]),
  },
]

describe.each(kinds)('$wanted.kind read from its bytes', ({ wanted, rows, two }) => {
  test('is the one that JSON.parse has, for any labels and numbers', () => {
    fc.assert(
      fc.property(rows, (drawn: readonly Row[]) => {
        const text = textOf(wanted.kind, drawn)
        expect(plain(scannedBy(text, wanted))).toEqual(plain(parsedBy(text, wanted)))
      }),
    )
  })

  test('is read so at all, unless a label is written with a backslash', () => {
    expect(isScanned(two, wanted)).toBe(true)
    expect(isScanned(two.replace('"x"', '"\\n"'), wanted)).toBe(false)
  })

  test('cut off anywhere it fails as JSON.parse does', () => {
    for (let length = 1; length < two.length; length += 1) {
      expect(() => scannedBy(two.slice(0, length), wanted), two.slice(0, length)).toThrow(/not complete JSON/)
    }
  })

  test('with any one byte changed it is what JSON.parse makes of it, or fails as that does', () => {
    for (let at = 0; at < two.length; at += 1) {
      for (const byte of '"\\,:{}[]a0 .-\n') {
        const changed = two.slice(0, at) + byte + two.slice(at + 1)
        if (!isScanned(changed, wanted)) continue
        expect(
          outcome(() => scannedBy(changed, wanted)),
          changed,
        ).toEqual(outcome(() => parsedBy(changed, wanted)))
      }
    }
  })
})

test('series that differ in what tells apart share their labels, wherever it stands', () => {
  const aparts = [{ le: '1' }, { le: '+Inf' }, { part: 'sum' }, { classification: 'failure', part: 'a' }, {}]
  const rows = aparts.flatMap((apart): Row[] => {
    const [[one, ...more] = [], all] = [Object.entries(apart), Object.entries(apart)]
    const between = Object.fromEntries([...all, ['m', 'x'], ['z', 'y']])
    const around = Object.fromEntries([...(one === undefined ? [] : [one]), ['m', 'x'], ...more, ['z', 'y']])
    return [
      { metric: { m: 'x', z: 'y', ...apart }, value: [AT, '1'] },
      { metric: { m: 'x', ...apart, z: 'y' }, value: [AT, '2'] },
      { metric: between, value: [AT, '3'] },
      { metric: around, value: [AT, '4'] },
      { metric: apart, value: [AT, '5'] },
    ]
  })
  // One answer each: the same series in another order is the same series.
  const known = new KnownLabels()
  const data = rows.flatMap((row) => [...readAnswer(head, Buffer.from(textOf('vector', [row])), vector, known).data])
  expect(new Set(data.map(({ labels }) => labels)).size).toBe(2)
  expect(new Set(data.map(({ apart }) => apart)).size).toBe(aparts.length)
  expect(data.map(({ apart }) => apart)).toEqual(aparts.flatMap((one) => Array(5).fill(one)))
  expect(data.map(allLabels)).toEqual(rows.map(({ metric: of }) => of))
})

test('thousands of label sets are told apart', () => {
  const rows = Array.from({ length: 5_000 }, (_, at): Row => ({ metric: { a: `${at}` }, value: [AT, `${at}`] }))
  const data = [...readAnswer(head, Buffer.from(textOf('vector', rows)), vector).data]
  expect(data).toEqual(rows.map((_, at) => ({ labels: { a: `${at}` }, apart: {}, value: at })))
})

describe('label sets of several answers', () => {
  const rows = (names: readonly string[], le: string): Row[] =>
    names.map((a) => ({ metric: { a, b: 'same', le }, value: [AT, '1'] }))
  const read = (known: KnownLabels, drawn: readonly Row[]) => [
    ...readAnswer(head, Buffer.from(textOf('vector', drawn)), vector, known).data,
  ]

  test('are the same objects wherever they are told again, in any order and beside others', () => {
    const known = new KnownLabels()
    const first = read(known, rows(['x', 'y', 'z'], '1'))
    const again = read(known, rows(['w', 'z', 'x'], '+Inf'))
    expect(again.map(({ labels }) => labels.a)).toEqual(['w', 'z', 'x'])
    expect(again[1]?.labels).toBe(first[2]?.labels)
    expect(again[2]?.labels).toBe(first[0]?.labels)
    expect(known.sets.size).toBe(4)
  })

  test('are what JSON.parse has, whatever was read before', () => {
    fc.assert(
      fc.property(fc.array(fc.uniqueArray(fc.record({ metric, value: pair }), once)), (answers) => {
        const known = new KnownLabels({ sets: 4, bytes: 65_536 })
        for (const drawn of answers) {
          const text = textOf('vector', drawn)
          expect(plain(readAnswer(head, Buffer.from(text), vector, known))).toEqual(plain(parsedBy(text, vector)))
        }
      }),
    )
  })

  test('are forgotten with the answer that has too many, or too long ones', () => {
    for (const limits of [
      { sets: 2, bytes: 1e6 },
      { sets: 1e6, bytes: 100_000 },
    ]) {
      const known = new KnownLabels(limits)
      const long = ['x', 'y', 'z'].map((one) => one.repeat(40_000))
      expect(read(known, rows(long, '1')).map(({ labels }) => labels.a)).toEqual(long)
      expect(known.sets.size).toBe(0)
      expect(read(known, rows(['x'], '1'))).toEqual([{ labels: { a: 'x', b: 'same' }, apart: { le: '1' }, value: 1 }])
    }
  })
})

test.each([
  ['more series than may be', Array(3).fill({ metric: {}, value: [AT, '1'] }), { ...vector, maxSeries: 2 }],
  ['another time', [{ metric: {}, value: [AT - 100, '1'] }], vector],
  ['a series of another time', [{ metric: {}, values: [[AT + 900, '1']] }], matrix],
] as const)('%s is refused in the same words', (_, rows, wanted) => {
  const message = (read: (text: string, wanted: Wanted) => unknown) => {
    try {
      read(textOf(wanted.kind, rows), wanted)
      return 'none'
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(message(scannedBy)).toBe(message(parsedBy))
  expect(message(scannedBy)).not.toBe('none')
})

test('series give back the memory of their values', () => {
  const text = textOf('matrix', [{ metric: { a: 'x' }, values: [[AT, '1']] }])
  const { data } = readAnswer(head, Buffer.from(text), matrix)
  const buffers = Array.from(data, ({ values }) => (values as Float64Array).buffer)
  const bytes = () => buffers.map(({ byteLength }) => byteLength)
  expect(bytes()).toEqual([5 * Float64Array.BYTES_PER_ELEMENT])
  data.free?.()
  expect(bytes()).toEqual([0])
})

test.each([
  ['vector', vector, { value: [AT, '1'] as const }],
  ['matrix', matrix, { values: [[AT, '1'] as const] }],
] as const)('a %s that tells a series twice is refused, however it is written', (kind, wanted, told) => {
  const row = (more: Record<string, string>) => ({ metric: { namespace: 'shop', ...more }, ...told })
  const twice = textOf(kind, [row({ le: '1' }), row({ le: '2' }), row({ le: '1' })] as Row[])
  const refused = { kind: 'malformed', message: expect.stringContaining('twice: {namespace="shop",le="1"}; look') }
  expect(() => scannedBy(twice, wanted)).toThrow(expect.objectContaining(refused))
  expect(() => parsedBy(twice, wanted)).toThrow(expect.objectContaining(refused))
  expect(() => scannedBy(textOf(kind, [row({ le: '1' }), row({ le: '2' })] as Row[]), wanted)).not.toThrow()
})
