import { expect, test } from 'vitest'
import type { Gap } from './snapshot.ts'
import { isWhole, type Told } from './taken.ts'

const gap: Gap = { cluster: 'west', what: 'usual values', why: 'timeout', detail: 'no answer', sinceSeconds: 1 }
const whole = {
  readings: [{ gaps: [] }],
  compared: { gaps: [] },
  around: new Map([['west', { surroundings: { goals: new Map(), alerts: { firing: [], told: true } } }]]),
} as unknown as Told
const withoutAlerts = new Map([['west', { surroundings: { goals: new Map(), alerts: null } }]]) as never

test.each<[string, Told, readonly Gap[]]>([
  ['no cluster was found yet', { ...whole, readings: [] }, []],
  ['a cluster was not read in full', { ...whole, readings: [{ gaps: [gap] }] as never }, []],
  ['what it is compared with was not', { ...whole, compared: { gaps: [gap] } as never }, []],
  ['the list of clusters was not', whole, [gap]],
  ['alerts of that time were not', { ...whole, around: withoutAlerts }, []],
])('a view of the past does not stand for good where %s', (_, told, further) => {
  expect(isWhole(told, further)).toBe(false)
  expect(isWhole(whole, [])).toBe(true)
})
