import { expect, test } from 'vitest'
import type { ClusterReading } from './cluster-reading.ts'
import { withPast } from './with-past.ts'

type Past = NonNullable<ClusterReading['past']>

/** Of a cluster whose past is there as soon as it is asked for. */
function reading(past: Partial<Past> | null): ClusterReading & { readonly asked: () => number } {
  let asked = 0
  const whole = { of: 'the past' } as unknown as ClusterReading
  const ask = async () => {
    asked += 1
    return whole
  }
  const told = past === null ? {} : { past: { much: true, atLeastSeconds: 0, ask, ...past } }
  return { ...told, asked: () => asked } as unknown as ClusterReading & { readonly asked: () => number }
}

/** What is to be asked for behind the snapshot. */
function behindOf() {
  const begun: (() => void)[] = []
  return {
    run: (one: () => void) => void begun.push(one),
    begin() {
      for (const one of begun) one()
    },
  }
}

test('much that is missing is waited for, where it may come in time', async () => {
  const behind = behindOf()
  const one = reading({})
  expect(await withPast([one], behind)).toEqual([{ of: 'the past' }])
  behind.begin()
  expect(one.asked()).toBe(1)
})

test('what is known to take longer is asked for behind the snapshot, and comes in later', async () => {
  const behind = behindOf()
  const [slow, quick, whole] = [reading({ atLeastSeconds: 1.5 }), reading({}), reading(null)]
  const [first, second, third] = await withPast([slow, quick, whole], behind)
  expect(second).toEqual({ of: 'the past' })
  expect(third).toBe(whole)
  expect(slow.asked()).toBe(0)
  behind.begin()
  expect(await first?.later).toEqual({ of: 'the past' })
  expect([slow.asked(), quick.asked()]).toEqual([1, 1])
})

test('the newest steps alone are asked for behind the snapshot, which is whole without them', async () => {
  const behind = behindOf()
  const one = reading({ much: false })
  expect(await withPast([one], behind)).toEqual([one])
  expect(one.asked()).toBe(0)
  behind.begin()
  expect(one.asked()).toBe(1)
})
