/**
 * `npm test`: set-up, unit and integration tests (Vitest), then the journeys in a real browser (Playwright).
 *
 *   npm test -- [--unit | --e2e | --wall | --looks] [arguments for that one runner]
 *
 * `--wall` are the long journeys of a wall, `--looks` the pictures of every state; they run only when asked for.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bootstrap, SetupError, withSetupErrors } from './bootstrap.mjs'
import { findChromium } from './find-chromium.mjs'
import { ROOT } from './paths.mjs'
import { cleanEnvironment, runStep } from './run-step.mjs'
import { closingLine, isGreen, playwrightTotals, sum, vitestTotals } from './test-totals.mjs'

const onCi = process.env.CI === 'true' || process.env.CI === '1'
/** Journeys that are asked for by name, and their configuration. */
const JOURNEYS = { '--e2e': 'e2e', '--wall': 'e2e/wall.config.ts', '--looks': 'e2e/looks.config.ts' }
const [only, ...passedOn] = ['--unit', ...Object.keys(JOURNEYS)].includes(process.argv[2] ?? '')
  ? process.argv.slice(2)
  : [null]
const reports = mkdtempSync(join(tmpdir(), 'goldseam-test-'))
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))
await withSetupErrors(main)

async function main() {
  if (only === null && process.argv.length > 2)
    throw new SetupError(
      `unknown argument ${process.argv[2]}; use --unit, --e2e, --wall or --looks, followed by arguments of that runner`,
    )
  await bootstrap()
  const env = { ...cleanEnvironment(), ...(await prometheus()) }
  const totals = []
  if (only === null || only === '--unit') totals.push(await unit(env))
  if (only !== '--unit' && existsSync(join(ROOT, 'e2e/playwright.config.ts'))) totals.push(await journeys(env))
  const all = sum(totals)
  process.exitCode = isGreen(all, onCi) ? 0 : 1
  process.stdout.write(`${closingLine(all)}\n`)
}

/** A real Prometheus for the tests that hold our numbers against its own. */
async function prometheus() {
  const finder = join(ROOT, 'deploy/demo/dist/prometheus/cli.js')
  if (process.env.PROMETHEUS_BIN || !existsSync(finder)) return {}
  const { code, text } = await runStep(process.execPath, [finder], { output: 'answer' })
  const path = text.trim()
  if (code === 0 && existsSync(path)) return { PROMETHEUS_BIN: path }
  throw new SetupError('No Prometheus for the tests; the lines above say how to get one.')
}

async function unit(env) {
  const report = join(reports, 'vitest.json')
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const args = ['run', '--root', ROOT, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { code } = await runStep(process.execPath, [vitest, ...args, ...passedOn], { env, output: 'shown' })
  return vitestTotals(report, code)
}

async function journeys(env) {
  const { path, problem } = await findChromium()
  if (problem !== undefined) throw new SetupError(problem)
  const report = join(reports, 'playwright.json')
  const playwright = join(ROOT, 'node_modules/@playwright/test/cli.js')
  const args = ['test', '-c', join(ROOT, JOURNEYS[only ?? '--e2e']), '--reporter=list,json', ...passedOn]
  const chosen = { ...env, CHROMIUM_BIN: path, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const { code } = await runStep(process.execPath, [playwright, ...args], { env: chosen, output: 'shown' })
  return playwrightTotals(report, code)
}
