import { expect, test } from 'vitest'
import { encodeWriteRequest } from './remote-write.ts'
import { snappyLiterals } from './snappy.ts'

/** The smallest reader of the two formats that the specification allows to write. */
function unsnappy(block: Buffer): Buffer {
  const [length, start] = readVarint(block, 0)
  const parts: Buffer[] = []
  let at = start
  while (at < block.length) {
    expect(block[at]).toBe(61 << 2)
    const size = block.readUInt16LE(at + 1) + 1
    parts.push(block.subarray(at + 3, at + 3 + size))
    at += 3 + size
  }
  const whole = Buffer.concat(parts)
  expect(whole.length).toBe(length)
  return whole
}

function readVarint(bytes: Buffer, from: number): [value: number, next: number] {
  let value = 0
  let scale = 1
  for (let at = from; ; at++) {
    const byte = bytes[at] ?? 0
    value += (byte & 0x7f) * scale
    scale *= 128
    if (byte < 0x80) return [value, at + 1]
  }
}

function fields(bytes: Buffer): { field: number; value: Buffer | number }[] {
  const found: { field: number; value: Buffer | number }[] = []
  let at = 0
  while (at < bytes.length) {
    const [tag, next] = readVarint(bytes, at)
    if (tag % 8 === 1) {
      found.push({ field: tag >> 3, value: bytes.readDoubleLE(next) })
      at = next + 8
    } else {
      const [value, after] = readVarint(bytes, next)
      found.push({ field: tag >> 3, value: tag % 8 === 2 ? bytes.subarray(after, after + value) : value })
      at = tag % 8 === 2 ? after + value : after
    }
  }
  return found
}

const inside = (part: { value: Buffer | number } | undefined) => fields(Buffer.from(part?.value as Buffer))

test('a write request reads back as it was written', () => {
  const timestampsMs = [1_795_221_968_123, 1_795_221_983_123]
  const labels = [
    ['__name__', 'up'],
    ['zone', 'Zürich'],
  ] as const
  const series = fields(unsnappy(encodeWriteRequest([{ labels, timestampsMs, values: [1, 0.5] }])))
  expect(series.map(({ field }) => field)).toEqual([1])
  const parts = inside(series[0])
  expect(parts.map(({ field }) => field)).toEqual([1, 1, 2, 2])
  expect(parts.slice(0, 2).map((part) => inside(part).map(({ value }) => String(value)))).toEqual([
    ['__name__', 'up'],
    ['zone', 'Zürich'],
  ])
  expect(parts.slice(2).map((part) => inside(part).map(({ value }) => value))).toEqual([
    [1, timestampsMs[0]],
    [0.5, timestampsMs[1]],
  ])
})

test.each([{ size: 0 }, { size: 1 }, { size: 65_536 }, { size: 65_537 }, { size: 200_000 }])(
  'snappy holds $size bytes',
  ({ size }) => {
    const bytes = Buffer.alloc(size, 'goldseam')
    expect(unsnappy(snappyLiterals(bytes)).equals(bytes)).toBe(true)
  },
)
