import { execFile } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ROOT } from './paths.mjs'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'goldseam-engines-'))
  // As if Debian's packages and Envoy were there already: these tests are about the builds.
  program(join(home, 'goldseam/prometheus/2.42.0/prometheus'), 'echo "prometheus, version 2.42.0+ds"')
  program(join(home, 'goldseam/envoy/1.36.4/envoy'), 'echo "envoy  version: abc/1.36.4/Clean/RELEASE/BoringSSL"')
  program(join(home, 'goldseam/redis/7.0.15/usr/bin/redis-server'), 'echo "Redis server v=7.0.15 sha=0 bits=64"')
  for (const name of ['initdb', 'postgres'])
    program(join(home, `goldseam/postgres/15.1/usr/lib/postgresql/15/bin/${name}`), 'echo "postgres (PostgreSQL) 15.1"')
})
afterEach(() => rmSync(home, { recursive: true }))

function program(path: string, body: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `#!/bin/sh\n${body}\n`)
  chmodSync(path, 0o755)
}

/** A `go` that notes what it is told and makes programs that say the version they were built with. */
const COMPILER = `
echo "$PWD $*" >> "$XDG_CACHE_HOME/asked"
if [ "$1" = list ]; then echo one; echo two; exit 0; fi
while [ $# -gt 0 ]; do
  case "$1" in
    -o) out=$2; shift ;;
    -ldflags) version=\${2##*=}; shift ;;
    */cmd/*|*/app/*) printf '#!/bin/sh\\necho "program, version %s"\\n' "$version" > "$out\${1##*/}"; chmod +x "$out\${1##*/}" ;;
  esac
  shift
done`

function setUp(path = '/usr/bin:/bin'): Promise<{ code: number; text: string }> {
  const env = { PATH: `${join(home, 'bin')}:${path}`, HOME: home, XDG_CACHE_HOME: home }
  const script = join(ROOT, 'scripts/setup-engines.mjs')
  return new Promise((resolve) => {
    execFile(process.execPath, [script], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, text: stdout + stderr }),
    )
  })
}

test('builds what is missing, by version, and leaves alone what is there', async () => {
  program(join(home, 'bin/go'), COMPILER)
  const first = await setUp()
  expect(first).toMatchObject({
    code: 0,
    text: expect.stringMatching(/Thanos 0\.42\.5: building thanos .* done in \d+ s/),
  })
  expect(readdirSync(join(home, 'goldseam/prometheus/3.15.0')).sort()).toEqual(['prometheus', 'promtool', 'source'])
  expect(readdirSync(join(home, 'goldseam/victoriametrics/1.110.0')).sort()).toEqual(['source', 'victoria-metrics'])
  const engines = ['compose-spec', 'envoy', 'postgres', 'prometheus', 'redis', 'thanos', 'victoriametrics']
  expect(readdirSync(join(home, 'goldseam')).sort()).toEqual(engines)
  const asked = readFileSync(join(home, 'asked'), 'utf8')
  expect(asked).toMatch(/deploy\/engines\/thanos build .*-tags slicelabels/)

  rmSync(join(home, 'goldseam/prometheus/3.15.0/promtool'))
  await setUp()
  const again = readFileSync(join(home, 'asked'), 'utf8').slice(asked.length)
  expect(again).toContain('/cmd/promtool')
  expect(again).not.toMatch(/cmd\/(prometheus|thanos)/)

  writeFileSync(join(home, 'asked'), '')
  expect((await setUp()).text).toMatch(
    /^Prometheus 3\.15\.0: .*\nThanos 0\.42\.5: .*\nVictoriaMetrics 1\.110\.0: .*\nThe Compose .*: .*\nPrometheus 2\.42\.0: .*\nRedis [\d.]+: .*\nPostgres [\d.]+: .*\nEnvoy 1\.36\.4: .*\n$/,
  )
  expect(readFileSync(join(home, 'asked'), 'utf8')).toBe('')
})

test.each([
  { what: 'no Go', body: null, advice: /Go was not found\. Install Go/ },
  {
    what: 'no network',
    body: 'echo "dial tcp: lookup proxy.golang.org: no such host" >&2; exit 1',
    advice: /HTTPS_PROXY/,
  },
  { what: 'a program of another version', body: COMPILER.replace('##*=', '##*X'), advice: /says that its version is/ },
])('$what: says what to do, and leaves nothing half-made', async ({ body, advice }) => {
  if (body !== null) program(join(home, 'bin/go'), body)
  expect(await setUp(body === null ? '' : undefined)).toEqual({ code: 1, text: expect.stringMatching(advice) })
  expect(existsSync(join(home, 'goldseam/prometheus/3.15.0'))).toBe(false)
  expect(readdirSync(join(home, 'goldseam')).filter((name) => name.startsWith('building'))).toEqual([])
})
