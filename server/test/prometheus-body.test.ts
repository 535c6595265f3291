import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { readBody } from '../src/prometheus/body.ts'
import { createTurn } from '../src/prometheus/large-turn.ts'
import { textOf } from '../src/prometheus/read-answer.ts'

const MEGABYTE = 1_048_576

/** A body that arrives in pieces of this size. */
function arriving(whole: Buffer, pieceBytes: number): Readable {
  const count = Math.ceil(whole.length / pieceBytes)
  const pieces = Array.from({ length: count }, (_, index) =>
    whole.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  )
  return Readable.from(pieces)
}

describe('series are counted while they arrive', () => {
  const text = `{"result":[${Array.from({ length: 20 }, () => '{"metric":{"metric":"\\"metric\\":{"},"value":[0,"1"]}').join()}]}`

  test.each([1, 2, 3, 7, 9, 10, 11, 64, 10_000])('in pieces of %i bytes', async (pieceBytes) => {
    const body = () => arriving(Buffer.from(text), pieceBytes)
    await expect(readBody(body(), { maxBytes: MEGABYTE, maxSeries: 20 }, textOf)).resolves.toBe(text)
    await expect(readBody(body(), { maxBytes: MEGABYTE, maxSeries: 19 }, textOf)).rejects.toMatchObject({
      kind: 'tooLarge',
      message: /more than 19 series/,
    })
  })
})

describe('bytes', () => {
  test('a length that is told beforehand is enough to refuse', async () => {
    const body = arriving(Buffer.alloc(10), 1)
    await expect(readBody(body, { maxBytes: 9, length: '10' }, textOf)).rejects.toMatchObject({ kind: 'tooLarge' })
    expect(body.destroyed).toBe(true)
  })

  test('a large text arrives whole, characters across pieces included', async () => {
    const text = 'grün '.repeat(MEGABYTE)
    const body = arriving(Buffer.from(text), 65_537)
    expect((await readBody(body, { maxBytes: 10 * MEGABYTE, largeTurn: createTurn() }, textOf)) === text).toBe(true)
  })

  test('what is not UTF-8 is refused, not mended', async () => {
    const body = arriving(Buffer.from([0x22, 0xc3, 0x28, 0x22]), 4)
    await expect(readBody(body, { maxBytes: 9 }, textOf)).rejects.toMatchObject({
      kind: 'malformed',
      message: /not UTF-8/,
    })
  })
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
