import { expect, test } from 'vitest'
import { describeConverted } from './describe-converted.ts'
import { describeEngines } from './describe-engines.ts'
import { describeNative } from './describe-native.ts'
import { enginesExpected, findEngines } from './find-engines.ts'
import { tieOf } from './ours.ts'

const found = findEngines(process.env)
const expected = enginesExpected(process.env)
const leftOut =
  'missing' in found
    ? `comparison with real servers: no ${found.missing.join(' and no ')}`
    : found.prometheus2 === null
      ? 'comparison of mixed versions: no Prometheus 2'
      : found.victoriaMetrics === null
        ? 'Goldseam over a VictoriaMetrics: no VictoriaMetrics'
        : null

// Not skipped but not there: a skipped test is a failure on CI, and most machines have no engines.
test('every engine is here where they are expected', () => {
  if (leftOut !== null) process.stderr.write(`not run: ${leftOut} (npm run setup:engines)\n`)
  expect(expected ? leftOut : null).toBeNull()
})

test('they are expected on CI, and where somebody says so', () => {
  const wanted = [{}, { CI: 'true' }, { GOLDSEAM_EXPECT_ENGINES: '1' }].map(enginesExpected)
  expect(wanted).toEqual([false, true, true])
})

test('only a rank on a plateau has two right answers: its ends', () => {
  const histogram = { upperBounds: [5, 10, 50, 1_000, Number.POSITIVE_INFINITY], cumulative: [4, 4, 4, 8, 8] }
  expect(tieOf(0.5, histogram)).toEqual([5, 50])
  expect([0.4, 0.5 + 1e-6, 0.9].map((q) => tieOf(q, histogram))).toEqual([null, null, null])
})

if (!('missing' in found)) {
  describeEngines(found)
  describeNative(found)
  describeConverted(found)
}
