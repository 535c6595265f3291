import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { recordingGroups } from '../../src/dialects/recording.ts'
import { dialects } from '../../src/dialects/registry.ts'
import { findEngines } from '../engines/find-engines.ts'
import { type RecordingRule, type RuleTest, untestedRules } from './untested-rules.ts'

const PROMETHEUS = fileURLToPath(new URL('../../../deploy/prometheus/', import.meta.url))
const RULES = join(PROMETHEUS, 'rules/goldseam.yaml')
const TESTS = readdirSync(join(PROMETHEUS, 'tests')).map((name) => join(PROMETHEUS, 'tests', name))

test('the shipped rules record what is asked now (`npm run rules` writes them anew)', () => {
  const wanted = dialects
    .flatMap((dialect) => recordingGroups(dialect, 60, { fast: 10, slow: 30 }))
    .map(({ name, intervalSeconds, rules }) => ({ name, interval: `${intervalSeconds}s`, rules }))
  expect(parse(readFileSync(RULES, 'utf8'))).toEqual({ groups: wanted })
})

test('every rule, and all that it tells apart, is expected by a unit test of promtool', () => {
  const { groups } = parse(readFileSync(RULES, 'utf8')) as { groups: { rules: RecordingRule[] }[] }
  const tests = TESTS.flatMap((file) => (parse(readFileSync(file, 'utf8')) as { tests: RuleTest[] }).tests)
  expect(
    untestedRules(
      groups.flatMap(({ rules }) => rules),
      tests,
    ),
  ).toEqual([])
})

test('a rule that no unit test expects anything of is found, and so is a part of one', () => {
  const tagged = (value: string) => `label_replace(sum by (pod) (rate(a{}[60s])),"part","${value}","","")`
  const rules = ['a:one', 'a:two', 'a:three'].map((record) => ({
    record,
    expr: `${tagged('in')} or ${tagged('out')}`,
    labels: { question: '6e48dde6', lane: 'fast' },
  }))
  const asked = (expr: string, ...labels: string[]) => ({ expr, exp_samples: labels.map((one) => ({ labels: one })) })
  const tests = [
    {
      promql_expr_test: [asked('sum without (question) (a:one)', '{part="in",lane="fast"}', '{pod="out",part="out"}')],
    },
    { promql_expr_test: [asked('a:two', 'a:two{part="in",pod="out"}'), asked('a:three')] },
  ]
  expect(untestedRules(rules, tests)).toEqual(['a:two{part="out"}', 'a:two{lane="fast"}', 'a:three'])
})

const found = findEngines(process.env)
if (!('missing' in found)) {
  const promtool = (...args: string[]) => promisify(execFile)(join(dirname(found.prometheus3), 'promtool'), args)

  test('promtool finds nothing wrong with the rules', async () => {
    expect((await promtool('check', 'rules', '--lint=all', '--lint-fatal', RULES)).stdout).toContain('SUCCESS')
  })

  test("promtool's unit tests of the rules", async () => {
    const { stdout } = await promtool('test', 'rules', ...TESTS)
    expect(stdout.match(/SUCCESS/g)).toHaveLength(TESTS.length)
  })
}
