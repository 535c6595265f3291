import { describe, expect, it } from 'vitest'
import { ScratchColumns } from './scratch-columns.ts'

describe('scratch columns', () => {
  it('are of NaN, and do not overlap', () => {
    const scratch = new ScratchColumns()
    const [one, other] = [scratch.take(3), scratch.take(2)]
    expect([...one, ...other]).toEqual(Array(5).fill(Number.NaN))
    one.fill(1)
    expect([...other]).toEqual([Number.NaN, Number.NaN])
  })

  it('may be longer than what is taken from the system at a time', () => {
    const long = new ScratchColumns().take(1_000_000)
    expect([long.length, long[0], long[999_999]]).toEqual([1_000_000, Number.NaN, Number.NaN])
  })

  it('give their memory back when told, with all that was handed out', () => {
    const scratch = new ScratchColumns()
    const columns = [scratch.take(3), scratch.take(200_000)]
    scratch.free()
    expect(columns.map(({ length, buffer }) => [length, buffer.byteLength])).toEqual([
      [0, 0],
      [0, 0],
    ])
  })
})
