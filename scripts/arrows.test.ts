import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
let copy = ''

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'goldseam-arrows-'))
  for (const name of ['.dependency-cruiser.cjs', 'tsconfig.base.json', 'biome.json', '.gitignore', 'package.json'])
    cpSync(join(ROOT, name), join(copy, name))
  cpSync(join(ROOT, 'scripts/lint'), join(copy, 'scripts/lint'), { recursive: true })
  // A real folder with a link in it: the linked workspaces must lead into the copy, not into the checkout.
  mkdirSync(join(copy, 'node_modules/@goldseam'), { recursive: true })
  for (const name of ['zod', 'express', '@biomejs'])
    symlinkSync(join(ROOT, 'node_modules', name), join(copy, 'node_modules', name))
  symlinkSync(join(copy, 'server'), join(copy, 'node_modules/@goldseam/server'))
  mkdirSync(join(copy, 'server'))
  cpSync(join(ROOT, 'server/package.json'), join(copy, 'server/package.json'))
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** Writes files into the copy; every file exports `x`, so that it can be imported. */
function plant(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    writeFileSync(join(copy, path), `${text}\nexport const x = 1\n`)
  }
}

interface Report {
  readonly summary: { readonly violations: readonly { from: string; rule: { name: string } }[] }
}

function violations(): string[] {
  const cruise = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const args = [
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'json',
    'server/src',
    'server/bench',
    'web/src',
    'deploy/demo/src',
  ]
  const { stdout, stderr } = spawnSync(process.execPath, [cruise, ...args], { cwd: copy, encoding: 'utf8' })
  if (stdout === '') throw new Error(stderr)
  const report: Report = JSON.parse(stdout)
  return report.summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`).toSorted()
}

const ALLOWED = {
  'server/src/main.ts': `import './compose.ts'\nimport './config/config.ts'`,
  'server/src/compose.ts': `import './http/app.ts'\nimport './federation/fleet.ts'\nimport './config/config.ts'`,
  'server/src/http/app.ts': `import '../contract/index.ts'\nimport '../telemetry/logger.ts'\nimport 'express'`,
  'server/src/federation/fleet.ts': `import '../dialects/mesh.ts'\nimport '../prometheus/api.ts'`,
  'server/src/dialects/mesh.ts': `import '../domain/a.ts'`,
  'server/src/prometheus/api.ts': `import '../telemetry/logger.ts'\nimport 'node:https'`,
  'server/src/telemetry/logger.ts': '',
  'server/src/config/config.ts': `import 'zod'\nimport 'node:fs'`,
  'server/src/contract/index.ts': `import 'zod'`,
  'server/src/domain/a.ts': '',
  'server/src/domain/a.test.ts': `import './a.ts'\nimport 'node:fs'\nimport '../../test/support/builders.ts'`,
  'server/test/support/builders.ts': '',
  'server/bench/triage/judge.ts': `import './sim/world.ts'\nimport '../../src/domain/a.ts'`,
  'server/bench/triage/sim/world.ts': `import './chance.ts'`,
  'server/bench/triage/sim/chance.ts': '',
  'web/src/app/router.tsx': `import '../features/fleet/screen.tsx'`,
  'web/src/features/fleet/screen.tsx': `import '../../api/client.ts'\nimport '../../ui/badge.tsx'`,
  'web/src/features/map/screen.tsx': `import '../../charts/line.tsx'`,
  'web/src/charts/line.tsx': `import '../ui/badge.tsx'`,
  'web/src/api/client.ts': `import '@goldseam/server/contract'`,
  'web/src/ui/badge.tsx': '',
  'deploy/demo/src/main.ts': `import './world.ts'\nimport 'node:http'`,
  'deploy/demo/src/world.ts': '',
}

test('what the design allows passes, and each violation is caught where it stands', () => {
  plant(ALLOWED)
  expect(violations()).toEqual([])
  plant({
    'server/src/domain/to-http.ts': `import '../http/app.ts'`,
    'server/src/domain/to-contract.ts': `import type { x as y } from '../contract/index.ts'\nexport type Y = typeof y`,
    'server/src/domain/to-node.ts': `import 'node:fs'`,
    'server/src/domain/to-package.ts': `import 'express'`,
    'server/src/domain/to-zod.ts': `import 'zod'`,
    'server/src/contract/to-domain.ts': `import '../domain/a.ts'`,
    'server/src/contract/to-package.ts': `import 'express'`,
    'server/src/dialects/to-prometheus.ts': `import '../prometheus/api.ts'`,
    'server/src/federation/to-compose.ts': `import '../compose.ts'`,
    'server/src/prometheus/to-config.ts': `import '../config/config.ts'`,
    'server/src/http/to-test-support.ts': `import '../../test/support/builders.ts'`,
    'server/src/http/to-nowhere.ts': `import './not-there.ts'`,
    'server/src/http/to-demo.ts': `import '../../../deploy/demo/src/world.ts'`,
    'server/src/telemetry/circle-a.ts': `import './circle-b.ts'`,
    // A circle is reported once.
    'server/src/telemetry/circle-b.ts': `import './circle-a.ts'`,
    'server/bench/triage/sim/to-domain.ts': `import '../../../src/domain/a.ts'`,
    'server/bench/triage/sim/to-judge.ts': `import '../judge.ts'`,
    'server/bench/triage/sim/to-node.ts': `import 'node:fs'`,
    'web/src/features/fleet/to-feature.ts': `import '../map/screen.tsx'`,
    'web/src/ui/to-feature.ts': `import '../features/map/screen.tsx'`,
    'web/src/ui/to-contract.ts': `import '@goldseam/server/contract'`,
    'web/src/api/to-server.ts': `import '../../../server/src/domain/a.ts'`,
    'deploy/demo/src/to-server.ts': `import '../../../server/src/domain/a.ts'`,
    'deploy/demo/src/to-contract.ts': `import '@goldseam/server/contract'`,
  })
  expect(violations()).toEqual(
    [
      'server-domain: server/src/domain/to-http.ts',
      'server-domain: server/src/domain/to-contract.ts',
      'server-pure: server/src/domain/to-node.ts',
      'server-pure-packages: server/src/domain/to-package.ts',
      'server-pure-packages: server/src/contract/to-package.ts',
      'domain-without-zod: server/src/domain/to-zod.ts',
      'server-contract: server/src/contract/to-domain.ts',
      'server-dialects: server/src/dialects/to-prometheus.ts',
      'server-federation: server/src/federation/to-compose.ts',
      'server-prometheus: server/src/prometheus/to-config.ts',
      'test-support: server/src/http/to-test-support.ts',
      'resolvable: server/src/http/to-nowhere.ts',
      'server-alone: server/src/http/to-demo.ts',
      'no-cycles: server/src/telemetry/circle-a.ts',
      'simulation-alone: server/bench/triage/sim/to-domain.ts',
      'simulation-alone: server/bench/triage/sim/to-judge.ts',
      'simulation-alone: server/bench/triage/sim/to-node.ts',
      'web-features-fleet: web/src/features/fleet/to-feature.ts',
      'web-ui: web/src/ui/to-feature.ts',
      'web-ui-knows-no-api: web/src/ui/to-contract.ts',
      'web-contract-only: web/src/api/to-server.ts',
      'demo-alone: deploy/demo/src/to-server.ts',
      'demo-alone: deploy/demo/src/to-contract.ts',
    ].toSorted(),
  )
})

test.each([
  'Date.now()',
  'new Date()',
  'process.cwd()',
  "fetch('/')",
  'console.log(1)',
  'setTimeout(() => 1, 1)',
  'performance.now()',
])('the domain may not use %s', (use) => {
  const { status, output } = lint('server/src/domain/planted.ts', `export const planted = () => ${use}\n`)
  expect(output).toContain('noRestrictedGlobals')
  expect(status).toBe(1)
})

test('outside the domain a clock is fine', () => {
  expect(lint('server/src/federation/planted.ts', 'export const planted = () => Date.now()\n').status).toBe(0)
})

test('no test may give up after a second', () => {
  const wait = (call: string) => `import { vi } from 'vitest'\nexport const planted = () => vi.${call}\n`
  for (const name of ['waitFor', 'waitUntil']) {
    const { status, output } = lint('server/test/planted.test.ts', wait(`${name}(() => 1)`))
    expect(output).toContain('use eventually()')
    expect(status).toBe(1)
  }
  expect(lint('server/test/planted.test.ts', wait('fn(() => 1)')).status).toBe(0)
})

function lint(path: string, text: string): { status: number | null; output: string } {
  mkdirSync(dirname(join(copy, path)), { recursive: true })
  writeFileSync(join(copy, path), text)
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome')
  const { status, stdout, stderr } = spawnSync(process.execPath, [biome, 'lint', path], { cwd: copy, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

test('words of the demo, its ports, paths of one machine, randomness and long files are found, each with its line', () => {
  const place = mkdtempSync(join(tmpdir(), 'goldseam-words-'))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(place, path)), { recursive: true })
    writeFileSync(join(place, path), text)
  }
  write('deploy/demo/src/scenarios/harbour.ts', '')
  write('server/src/a.ts', '// fine\n// the Harbour\n// harbours\n')
  write('web/src/b.tsx', 'const port = 9091\n')
  write('server/src/domain/c.ts', 'export const r = () => Math.random()\n')
  write('web/src/d.ts', '//\n'.repeat(301))
  write('README.md', `see ${['', 'work', 'main'].join('/')}\n`)
  spawnSync('git', ['init', '-q'], { cwd: place })
  const script = join(ROOT, 'scripts/check-words.mjs')
  const { status, stdout } = spawnSync(process.execPath, [script, place], { encoding: 'utf8' })
  rmSync(place, { recursive: true })
  expect(stdout.split('\n').map((line) => line.split(' ')[0])).toEqual([
    'README.md:1:',
    'server/src/a.ts:2:',
    'server/src/domain/c.ts:1:',
    'web/src/b.tsx:1:',
    'web/src/d.ts:301:',
    '5',
    '',
  ])
  expect(status).toBe(1)
})
