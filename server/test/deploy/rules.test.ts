import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { recordingGroups } from '../../src/dialects/recording.ts'
import { dialects } from '../../src/dialects/registry.ts'
import { findEngines } from '../engines/find-engines.ts'

const PROMETHEUS = fileURLToPath(new URL('../../../deploy/prometheus/', import.meta.url))
const RULES = join(PROMETHEUS, 'rules/goldseam.yaml')

test('the shipped rules record what is asked now (`npm run rules` writes them anew)', () => {
  const wanted = dialects
    .flatMap((dialect) => recordingGroups(dialect, 60, { fast: 10, slow: 30 }))
    .map(({ name, intervalSeconds, rules }) => ({ name, interval: `${intervalSeconds}s`, rules }))
  expect(parse(readFileSync(RULES, 'utf8'))).toEqual({ groups: wanted })
})

const found = findEngines(process.env)
if (!('missing' in found)) {
  const promtool = (...args: string[]) => promisify(execFile)(join(dirname(found.prometheus3), 'promtool'), args)

  test('promtool finds nothing wrong with the rules', async () => {
    expect((await promtool('check', 'rules', '--lint=all', '--lint-fatal', RULES)).stdout).toContain('SUCCESS')
  })

  test("promtool's unit tests of the rules", async () => {
    const { stdout } = await promtool('test', 'rules', join(PROMETHEUS, 'tests/goldseam.test.yaml'))
    expect(stdout).toContain('SUCCESS')
  })
}
