import { readFileSync } from 'node:fs'

/** Counts of one runner. A runner that broke without saying which test failed counts as one failure. */
export function vitestTotals(file, exitCode) {
  const report = readReport(file)
  if (report === null) return { passed: 0, failed: 1, skipped: 0 }
  // A file that cannot even be loaded fails without a failed test.
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((one) => one.status === 'failed'),
  )
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
  return withBreakage(counts, exitCode)
}

/** A test that passed only when tried again is not a passed test. */
export function playwrightTotals(file, exitCode) {
  const report = readReport(file)
  if (report === null) return { passed: 0, failed: 1, skipped: 0 }
  const { expected, unexpected, flaky, skipped } = report.stats
  return withBreakage({ passed: expected, failed: unexpected + flaky, skipped }, exitCode)
}

export function sum(all) {
  const add = (key) => all.reduce((total, one) => total + one[key], 0)
  return { passed: add('passed'), failed: add('failed'), skipped: add('skipped') }
}

/** The line that everything else about a run can be forgotten for. */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** Skipped tests are a failure where nobody looks. */
export function isGreen({ passed, failed, skipped }, onCi) {
  return failed === 0 && passed > 0 && !(onCi && skipped > 0)
}

function withBreakage(counts, exitCode) {
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}
