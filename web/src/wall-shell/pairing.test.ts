import { expect, test, vi } from 'vitest'
import { Pairing } from './pairing.ts'

/** Codes in turn, each of which ends when the test says so. */
function started() {
  const codes = ['AB12', 'CD34']
  const ends: ((token: string | null) => void)[] = []
  const ask = vi.fn((show: (code: string) => void, _signal: AbortSignal) => {
    show(codes[ends.length] ?? '')
    return new Promise<string | null>((resolve) => ends.push(resolve))
  })
  const shown: (string | null)[] = []
  const kept: string[] = []
  const pairing = new Pairing(
    (code, why) => void shown.push(`${code}: ${why}`),
    (token) => void kept.push(token),
    ask,
  )
  return { pairing, ask, ends, shown, kept, ending: new AbortController() }
}

test('a code that still holds is shown again when the stream is refused once more', () => {
  const { pairing, ask, shown, ending } = started()
  void pairing.wanted('no token', ending.signal)
  expect(shown).toEqual(['null: no token', 'AB12: no token'])
  void pairing.wanted('refused', ending.signal)
  expect(shown.at(-1)).toBe('AB12: refused')
  expect(ask).toHaveBeenCalledTimes(1)
})

test('one that ran out is shown no more, and another one is asked for', async () => {
  const { pairing, ends, shown, kept, ending } = started()
  const over = pairing.wanted('no token', ending.signal)
  ends[0]?.(null)
  await over
  void pairing.wanted('no token', ending.signal)
  expect(shown.slice(2)).toEqual(['null: no token', 'CD34: no token'])
  expect(kept).toEqual([])
})

test('the token of who entered it is kept', async () => {
  const { pairing, ends, kept, ending } = started()
  const over = pairing.wanted('no token', ending.signal)
  ends[0]?.('secret')
  await over
  expect(kept).toEqual(['secret'])
})

test('once there is a picture nobody waits any more', () => {
  const { pairing, ask, ending } = started()
  void pairing.wanted('refused', ending.signal)
  pairing.end()
  expect(ask.mock.calls[0]?.[1].aborted).toBe(true)
})
