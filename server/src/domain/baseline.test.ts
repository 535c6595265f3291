import { describe, expect, test } from 'vitest'
import { type Axis, bandOf, calmSteps, instantOf, LONGEST_PAUSE, onsetStep, wholeWindows } from './baseline.ts'
import { EVERY_STEP, isKept } from './step-mask.ts'

const repeat = (value: number, times: number): number[] => Array.from({ length: times }, () => value)
/** A little unrest, so that no two calm steps are quite the same. */
const unrest = (values: number[]): Float64Array => Float64Array.from(values, (v, i) => v * (1 + 0.03 * Math.sin(i)))

describe('usual band', () => {
  test('three loops of calm, incident and repair leave calm as the usual level', () => {
    const loop = [...repeat(0.06, 20), ...repeat(2.4, 8), ...repeat(1.6, 6), ...repeat(0.03, 10)]
    const means = unrest([...loop, ...loop, ...loop, ...repeat(0.06, 20)])
    const band = bandOf(means)
    expect(band?.level).toBeGreaterThan(0.055)
    expect(band?.level).toBeLessThan(0.065)
    const calm = calmSteps(means, band)
    const kept = [...means].filter((_, step) => isKept(calm, step))
    expect(Math.max(...kept)).toBeLessThan(0.07)
    expect(Math.min(...kept)).toBeGreaterThan(0.05)
  })

  test('who never left the band was calm at every step', () => {
    const means = unrest(repeat(0.06, 40))
    expect(calmSteps(means, bandOf(means))).toBe(EVERY_STEP)
  })

  test('too short a history has no band', () => {
    expect(bandOf(Float64Array.of(1, 2, Number.NaN, Number.NaN, 3))).toBeNull()
  })

  test('a change nobody can feel is inside the band, whatever its ratio', () => {
    const band = bandOf(unrest(repeat(0.002, 50)))
    expect((band?.high ?? 0) - (band?.level ?? 0)).toBeCloseTo(0.02, 9)
  })
})

describe('whole rate windows', () => {
  const windowSeconds = 60
  const axisFrom = (fromSeconds: number): Axis => ({ fromSeconds, stepSeconds: 15, steps: 300 })

  test('are the same stretch of time while an axis moves on within one of them', () => {
    const stretches = [1_200, 1_215, 1_230, 1_245, 1_260].map((fromSeconds) => {
      const axis = axisFrom(fromSeconds)
      const { from, end } = wholeWindows(axis, windowSeconds)
      return [instantOf(axis, from), instantOf(axis, end)]
    })
    expect(stretches).toEqual([
      [1_200, 5_700],
      [1_260, 5_700],
      [1_260, 5_700],
      [1_260, 5_700],
      [1_260, 5_760],
    ])
  })

  test('of a short axis are not looked for: all of it counts', () => {
    expect(wholeWindows({ fromSeconds: 1_215, stepSeconds: 15, steps: 40 }, windowSeconds)).toEqual({
      from: 0,
      end: 40,
    })
  })
})

describe('onset', () => {
  const band = { level: 0.06, low: 0.04, high: 0.09 }
  test.each([
    { means: [0.06, 0.06, 0.06], want: null, why: 'nothing deviates' },
    { means: [0.06, 0.2, 0.3], want: 1, why: 'since the first step above' },
    { means: [0.06, 0.2, 0.07, 0.3, 0.3], want: 1, why: 'a short pause does not end it' },
    { means: [0.2, 0.06, 0.06, 0.06, 0.3], want: 4, why: 'a long pause does' },
    { means: [0.06, 0.2, Number.NaN], want: 1, why: 'a step without traffic is a pause' },
    {
      means: [
        0.06,
        0.2,
        ...new Array(LONGEST_PAUSE).fill(Number.NaN),
        0.3,
        ...new Array(LONGEST_PAUSE).fill(Number.NaN),
        0.3,
      ],
      want: 1,
      why: 'steps that snapshots pass over do not end it',
    },
  ])('$why', ({ means, want }) => expect(onsetStep(Float64Array.from(means), band)).toBe(want))

  const unread = (count: number) => Float64Array.from([0.06, 0.2, ...Array<number>(count).fill(Number.NaN)])
  test.each([
    { covered: 0, count: 3, want: null, why: 'unknown steps are a pause' },
    { covered: 4, count: 3, want: 1, why: 'not those that the present speaks for' },
    { covered: 4, count: 7, want: null, why: 'of more than that, those before are a pause again' },
  ])('$count at the end, of which $covered are covered: $why', ({ covered, count, want }) => {
    expect(onsetStep(unread(count), band, covered)).toBe(want)
  })
})
