import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EVERY_STEP, isKept, keptBut, keptByBoth, type StepMask, stepsWithin, stretchOf } from './step-mask.ts'

const STEPS = 12
const steps = Array.from({ length: STEPS }, (_, step) => step)
const kept = (mask: StepMask) => steps.filter((step) => isKept(mask, step))
const bits = fc.uint8Array({ minLength: STEPS, maxLength: STEPS, max: 1 })
const masks = fc.option(bits, { nil: EVERY_STEP })
const place = fc.integer({ min: -3, max: STEPS + 3 })

test('a stretch of steps holds those from its first to its last, as far as there are such', () => {
  fc.assert(
    fc.property(place, place, (first, last) => {
      expect(kept(stepsWithin([first, last], STEPS))).toEqual(steps.filter((step) => step >= first && step <= last))
    }),
  )
})

test('what both keep, and what one keeps but for others, is told step by step', () => {
  fc.assert(
    fc.property(masks, bits, (one, other) => {
      const before = one?.slice() ?? null
      expect(kept(keptByBoth(one, other))).toEqual(kept(one).filter((step) => other[step] === 1))
      expect(kept(keptBut(one, other, STEPS))).toEqual(kept(one).filter((step) => other[step] !== 1))
      expect(one).toEqual(before)
    }),
  )
})

test('the shortest stretch that holds all of a mask begins and ends with what it keeps', () => {
  fc.assert(
    fc.property(masks, (mask) => {
      const { from, end } = stretchOf(mask, STEPS)
      const all = kept(mask)
      if (all.length > 0) expect([from, end]).toEqual([all[0], (all.at(-1) ?? 0) + 1])
      else expect(end).toBeLessThanOrEqual(from)
    }),
  )
})
