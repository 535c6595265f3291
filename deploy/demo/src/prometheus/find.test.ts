import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findPrometheus } from './find.ts'
import { ownGoMod } from './go-build.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'goldseam-find-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function fake(path: string, version: string): Promise<string> {
  const file = join(folder, path)
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, `#!/bin/sh\necho "prometheus, version ${version}"\n`)
  await chmod(file, 0o755)
  return file
}
const env = (more: NodeJS.ProcessEnv = {}) => ({
  XDG_CACHE_HOME: join(folder, 'cache'),
  PATH: join(folder, 'bin'),
  ...more,
})

test('the environment goes first, then the PATH, then the newest of the cache', async () => {
  const cached = await fake('cache/goldseam/prometheus/3.15.0/prometheus', '3.15.0')
  await fake('cache/goldseam/prometheus/2.42.0/prometheus', '2.42.0')
  expect(await findPrometheus({ env: env() })).toEqual({ path: cached, version: '3.15.0', source: 'cached' })
  const onPath = await fake('bin/prometheus', '2.53.1')
  expect(await findPrometheus({ env: env() })).toEqual({ path: onPath, version: '2.53.1', source: 'PATH' })
  const named = await fake('named', '2.45.0')
  expect((await findPrometheus({ env: env({ PROMETHEUS_BIN: named }) })).source).toBe('$PROMETHEUS_BIN')
})

test('one that does not run is passed over', async () => {
  const onPath = await fake('bin/prometheus', '2.53.1')
  expect((await findPrometheus({ env: env({ PROMETHEUS_BIN: '/bin/false' }) })).path).toBe(onPath)
})

test('the module that builds Prometheus repeats its replace lines and nothing else', () => {
  const theirs =
    'module x\n\ngo 1.26\n\nrequire a v1.0.0\n\nreplace (\n\ta => b v2.0.0\n)\n\nreplace c => d v1.0.0\n\nexclude e v1.0.0\n'
  const ours = ownGoMod(theirs)
  expect(ours).toContain('go 1.26')
  expect(ours).toContain('replace (\n\ta => b v2.0.0\n)')
  expect(ours).toContain('replace c => d v1.0.0')
  expect(ours).not.toContain('exclude')
  expect(ours).not.toContain('require a')
})
