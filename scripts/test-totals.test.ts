import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { closingLine, isGreen, playwrightTotals, sum, vitestTotals } from './test-totals.mjs'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'goldseam-totals-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

function report(body: unknown): string {
  const file = join(directory, 'report.json')
  writeFileSync(file, JSON.stringify(body))
  return file
}

const vitest = (change: object = {}) =>
  report({ numPassedTests: 3, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [], ...change })

test('the counts of both runners are added up', () => {
  const playwright = { stats: { expected: 2, unexpected: 1, flaky: 1, skipped: 1 } }
  const all = sum([vitestTotals(vitest(), 0), playwrightTotals(report(playwright), 1)])
  expect(all).toEqual({ passed: 5, failed: 2, skipped: 1 })
  expect(closingLine(all)).toBe('5 passed, 2 failed, 1 skipped')
})

test('a file that cannot be loaded is a failure though no test failed', () => {
  const broken = { testResults: [{ status: 'failed', assertionResults: [] }] }
  expect(vitestTotals(vitest(broken), 1)).toEqual({ passed: 3, failed: 1, skipped: 0 })
})

test('a runner that breaks, or leaves no report, is a failure', () => {
  expect(vitestTotals(vitest(), 1).failed).toBe(1)
  expect(vitestTotals(join(directory, 'none.json'), 0).failed).toBe(1)
  expect(playwrightTotals(join(directory, 'none.json'), 0).failed).toBe(1)
})

test.each([
  { totals: { passed: 1, failed: 0, skipped: 0 }, onCi: true, green: true },
  { totals: { passed: 1, failed: 0, skipped: 1 }, onCi: false, green: true },
  { totals: { passed: 1, failed: 0, skipped: 1 }, onCi: true, green: false },
  { totals: { passed: 1, failed: 1, skipped: 0 }, onCi: false, green: false },
  { totals: { passed: 0, failed: 0, skipped: 0 }, onCi: false, green: false },
])('$totals on CI $onCi: green is $green', ({ totals, onCi, green }) => {
  expect(isGreen(totals, onCi)).toBe(green)
})
