import type { HeldTo, Workload } from '@goldseam/server/contract'
import { expect, test } from 'vitest'
import { golden, workload } from '../../test/builders.ts'
import { statusText } from './status-text.ts'

const HELD: HeldTo = { mean: [0.049, 0.12], failures: [0.011, 0.05] }
const one = (meanSeconds: number, change: Partial<Workload>, failing = 0) =>
  workload('west/labs/d', golden(40, meanSeconds, failing), golden(40, 0.04), { heldTo: HELD, ...change })

test.each([
  {
    why: 'healthy',
    of: one(0.04, {}),
    text: 'healthy: mean 40 ms (usual up to 49 ms, critical from 120 ms); failures 0 % (trouble from 1.1 %)',
  },
  {
    why: 'slow',
    of: one(0.062, { health: 'warn' }),
    text: 'slower than usual: mean 62 ms (usual up to 49 ms, critical from 120 ms); failures 0 % (trouble from 1.1 %)',
  },
  {
    why: 'not believed yet',
    of: one(0.062, {}),
    text: 'healthy: mean 62 ms (usual up to 49 ms, critical from 120 ms, above it not for long enough yet); failures 0 % (trouble from 1.1 %)',
  },
  {
    why: 'a warning that is none of slowness',
    of: one(0.04, { health: 'warn' }, 0.02),
    text: 'more failures than usual: mean 40 ms (usual up to 49 ms, critical from 120 ms); failures 2 % (trouble from 1.1 %)',
  },
  {
    why: 'a goal',
    of: one(0.04, { health: 'warn', heldTo: { ...HELD, goals: [{ measure: 'p99', goal: 0.1, verdict: 'missed' }] } }),
    text: 'misses a goal: mean 40 ms (usual up to 49 ms, critical from 120 ms); failures 0 % (trouble from 1.1 %); p99 116 ms (goal 100 ms, missed)',
  },
  {
    why: 'too few',
    of: one(0.04, { heldTo: { mean: null, failures: null, tooFewBelow: 20 } }),
    text: 'nothing unusual seen: fewer than 20 requests in the window, too few to judge',
  },
  {
    why: 'no past; so few requests that no share of failures would count',
    of: one(0.04, { heldTo: { mean: null, failures: [1.4, 1.4] } }),
    text: 'healthy: no usual range is known',
  },
  { why: 'stale', of: one(0.04, { truth: 'stale', heldTo: null }), text: 'stale' },
  { why: 'evidence from before limits were kept', of: one(0.04, { heldTo: undefined }), text: 'healthy' },
])('$why', ({ of, text }) => {
  expect(statusText(of)).toBe(text)
})
