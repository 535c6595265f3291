import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type Body, readBody } from '../src/prometheus/body.ts'
import { startCallClock } from '../src/prometheus/call-clock.ts'
import { createTurn } from '../src/prometheus/large-turn.ts'
import { textOf } from '../src/prometheus/read-answer.ts'
import { unzip } from '../src/prometheus/unzip.ts'

const MEGABYTE = 1_048_576

/** A body that arrives in pieces of this size. */
function arriving(whole: Buffer, pieceBytes: number): Readable {
  const count = Math.ceil(whole.length / pieceBytes)
  const pieces = Array.from({ length: count }, (_, index) =>
    whole.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  )
  return Readable.from(pieces)
}

const JSON_HEAD = { status: 200, contentType: 'application/json' }
const asText = ({ bytes, zipped }: Body) => textOf(JSON_HEAD, zipped === undefined ? bytes : unzip(bytes, zipped))

describe('series are counted while they arrive', () => {
  const text = `{"result":[${Array.from({ length: 20 }, () => '{"metric":{"metric":"\\"metric\\":{"},"value":[0,"1"]}').join()}]}`

  test.each([1, 2, 3, 7, 9, 10, 11, 64, 10_000])('in pieces of %i bytes', async (pieceBytes) => {
    const body = () => arriving(Buffer.from(text), pieceBytes)
    await expect(readBody(body(), { maxBytes: MEGABYTE, maxSeries: 20 }, asText)).resolves.toBe(text)
    await expect(readBody(body(), { maxBytes: MEGABYTE, maxSeries: 19 }, asText)).rejects.toMatchObject({
      kind: 'tooLarge',
      message: /more than 19 series/,
    })
  })
})

describe('bytes', () => {
  test('a length that is told beforehand is enough to refuse', async () => {
    const body = arriving(Buffer.alloc(10), 1)
    await expect(readBody(body, { maxBytes: 9, length: '10' }, asText)).rejects.toMatchObject({ kind: 'tooLarge' })
    expect(body.destroyed).toBe(true)
  })

  test('a large text arrives whole, characters across pieces included', async () => {
    const text = 'grün '.repeat(MEGABYTE)
    const body = arriving(Buffer.from(text), 65_537)
    expect((await readBody(body, { maxBytes: 10 * MEGABYTE, largeTurn: createTurn() }, asText)) === text).toBe(true)
  })

  test('what is not UTF-8 is refused, not mended', async () => {
    const body = arriving(Buffer.from([0x22, 0xc3, 0x28, 0x22]), 4)
    await expect(readBody(body, { maxBytes: 9 }, asText)).rejects.toMatchObject({
      kind: 'malformed',
      message: /not UTF-8/,
    })
  })
})

test('an encoding that nobody asked for is refused, and what breaks off with it ends no process', async () => {
  for (const encoding of ['br', 'utf-8']) {
    // As undici's bodies do where they have come whole already.
    const body = new Readable({
      read() {},
      destroy(_, done) {
        done(new Error('request aborted'))
      },
    })
    await expect(readBody(body, { maxBytes: 9, encoding }, asText)).rejects.toMatchObject({
      kind: 'malformed',
      message: expect.stringContaining(`it answers in the encoding ${encoding}, which was not asked for`),
    })
    // An error without a listener would have been thrown by now.
    await new Promise((resolve) => setImmediate(resolve))
  }
})

describe('large answers take turns', () => {
  test('in the order they came; who leaves is passed over', async () => {
    const turn = createTurn()
    const order: string[] = []
    const leaving = new AbortController()
    const end = await turn()
    const left = turn(leaving.signal)
    const third = turn().then((done) => {
      order.push('third')
      done()
    })
    leaving.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    expect(order).toEqual([])
    end()
    await third
    expect(order).toEqual(['third'])
    await expect(turn(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
    await turn()
  })
})

describe('packed bodies', () => {
  const series = (count: number) => `[${Array.from({ length: count }, (_, at) => `{"metric":{"a":"${at}"}}`).join()}]`
  /** The same bytes, saying that they unpack to another number of them. */
  const claiming = (zipped: Buffer, bytes: number) => {
    const lying = Buffer.from(zipped)
    lying.writeUInt32LE(bytes, lying.length - 4)
    return lying
  }
  const read = (zipped: Buffer, maxBytes = 20 * MEGABYTE, maxSeries = 1_000_000) =>
    readBody(arriving(zipped, 10_000), { maxBytes, maxSeries, encoding: 'gzip' }, asText)

  test.each([
    { what: 'small', text: series(10) },
    { what: 'empty', text: '' },
    { what: 'of several megabytes', text: series(200_000) },
    { what: 'too large to be unpacked at once', text: series(400_000) },
  ])('$what', async ({ text }) => {
    expect((await read(gzipSync(text))) === text).toBe(true)
  })

  test('that pack badly', async () => {
    const bytes = Uint8Array.from({ length: 3 * MEGABYTE }, (_, at) => 32 + (((at * 2_654_435_761) >>> 9) % 90))
    const text = Buffer.from(bytes).toString('latin1')
    expect((await read(gzipSync(text))) === text).toBe(true)
  })

  test('several in a row are one', async () => {
    expect(await read(Buffer.concat([gzipSync(series(10)), gzipSync(series(2))]))).toBe(series(10) + series(2))
  })

  test.each([
    { what: 'that says so', zipped: gzipSync(Buffer.alloc(5 * MEGABYTE)) },
    { what: 'that says it is small', zipped: claiming(gzipSync(Buffer.alloc(5 * MEGABYTE)), 100) },
    { what: 'after a small one', zipped: Buffer.concat([gzipSync(Buffer.alloc(5 * MEGABYTE)), gzipSync('small')]) },
  ])('one that is too large, $what', async ({ zipped }) => {
    await expect(read(zipped, MEGABYTE)).rejects.toMatchObject({ kind: 'tooLarge', message: /1048576 bytes/ })
  })

  test('one that says it is small, and is larger than anybody would make of so little', async () => {
    const zipped = claiming(gzipSync(Buffer.alloc(40 * MEGABYTE)), 100)
    await expect(read(zipped, 100 * MEGABYTE)).rejects.toMatchObject({
      kind: 'tooLarge',
      message:
        'the compressed answer unpacks to more than 32 MiB, though it says 100 bytes; something on the way damages it',
    })
  })

  test('one with too many series', async () => {
    await expect(read(gzipSync(series(11)), MEGABYTE, 10)).rejects.toMatchObject({ message: /more than 10 series/ })
  })

  test.each([
    { what: 'cut off', zipped: gzipSync(series(1_000)).subarray(0, 500) },
    {
      what: 'changed on the way',
      zipped: gzipSync(series(1_000)).map((byte, at) => (at === 300 ? byte ^ 0xff : byte)),
    },
    { what: 'not packed at all', zipped: Buffer.from(series(10)) },
    { what: 'large and cut off', zipped: gzipSync(series(400_000)).subarray(0, 200_000) },
  ])('one that is $what', async ({ zipped }) => {
    await expect(read(Buffer.from(zipped))).rejects.toMatchObject({ kind: 'malformed', message: /damaged or cut off/ })
  })
})

test('a large body that waits for no turn has its time as any other', async () => {
  const { signal } = new AbortController()
  const body = new Readable({ read: () => undefined })
  body.push(Buffer.alloc(3 * MEGABYTE))
  const reading = readBody(body, { maxBytes: 1_000 * MEGABYTE }, () => undefined, signal)
  // Never, if the clock stood still from the piece on that makes it a large one.
  await new Promise<void>((resolve) => void startCallClock(signal, 0.05, resolve))
  body.destroy(new Error('out of time'))
  await expect(reading).rejects.toThrow()
})
