import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { ciede2000, contrast, distance } from './colour-maths.mjs'

const folder = mkdtempSync(join(tmpdir(), 'goldseam-colours-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const tokens = readFileSync(join(import.meta.dirname, '../web/src/ui/tokens.css'), 'utf8')

async function check(css: string): Promise<string> {
  const path = join(folder, 'tokens.css')
  writeFileSync(path, css)
  const script = join(import.meta.dirname, 'check-colours.mjs')
  const run = promisify(execFile)(process.execPath, [script, path])
  return run.then(({ stdout }) => stdout).catch((error: { stdout: string }) => error.stdout)
}

// Of the table that Sharma, Wu and Dalal published with the formula.
test.each<[[number, number, number], [number, number, number], number]>([
  [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
  [[50, -1.3802, -84.2814], [50, 0, -82.7485], 1.0],
  [[50, 2.5, 0], [50, 0, -2.5], 4.3065],
  [[50, 2.5, 0], [73, 25, -18], 27.1492],
  [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
  [[90.8027, -2.0831, 1.441], [91.1528, -1.6435, 0.0447], 1.4441],
  [[2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082],
])('CIEDE2000 of %j and %j', (one, other, wanted) => {
  expect(ciede2000(one, other)).toBeCloseTo(wanted, 4)
})

test('contrast and colour-blind distance of known pairs', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  // The green and red that many dashboards use are the same to one man in twenty.
  expect(distance('#37872d', '#c4162a', 'normal')).toBeGreaterThan(60)
  expect(distance('#37872d', '#c4162a', 'deutan')).toBeLessThan(5)
})

test('the tokens hold, and each kind of mistake is named', async () => {
  expect(await check(tokens)).toMatch(/fine/)
  expect(await check(tokens.replace('--muted: #55585e', '--muted: #8a8d93'))).toMatch(/light: --muted on --bg has 3/)
  expect(await check(tokens.replace('--control: #8a8577', '--control: #c8c4ba'))).toMatch(/light: --control on --bg/)
  expect(await check(tokens.replace('--ok: #0b5cad', '--ok: #2f7a2a'))).toMatch(/--ok and --\w+ are [\d.]+ apart for/)
  expect(await check(tokens.replace('--crit: #ff3f80', '--crit: #ff6a9a'))).toMatch(/dark: --crit differs between/)
  expect(await check(tokens.replace(/--seam: #584400;/, ''))).toMatch(/light: there is no --seam/)
})
