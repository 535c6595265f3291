/**
 * Gets a checkout ready: dependencies, then the build; each only when something changed since the last time.
 * Node's own modules only: it runs before anything is installed.
 *
 *   node scripts/bootstrap.mjs [--no-build]
 */
import { readFileSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, buildIsFresh } from './build.mjs'
import { oneAtATime } from './one-at-a-time.mjs'
import { hashOf, ROOT, readStamp, SETUP_LOCK } from './paths.mjs'
import { runStep } from './run-step.mjs'

const DEPENDENCY_STAMP = 'node_modules/.goldseam-stamp'

/** What `npm ci` writes, with room for npm's own unpacking. */
const INSTALL_BYTES = 700_000_000

/** A failure of set-up, in words for the person at the keyboard. */
export class SetupError extends Error {}

/** @param {{ build?: boolean, signalExitCode?: number | null }} options */
export async function bootstrap({ build: withBuild = true, signalExitCode = null } = {}) {
  checkNode()
  const isReady = () => dependenciesAreHere() && (!withBuild || buildIsFresh())
  if (isReady()) return
  // The demo and the tests, say, each in a terminal of its own.
  await oneAtATime(SETUP_LOCK, async () => {
    if (!dependenciesAreHere()) await installDependencies(signalExitCode)
    if (withBuild && !buildIsFresh()) await step('Building server, demo and web', () => build(signalExitCode))
  })
}

/** Runs `main` and turns set-up failures into a message and exit code 1. */
export async function withSetupErrors(main) {
  try {
    await main()
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    process.stderr.write(`\n${error.message}\n`)
    process.exit(1)
  }
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const fits = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22
  if (!fits)
    throw new SetupError(
      `Goldseam needs Node.js 20.19 or newer (20.x, or 22.12 and up); this is ${process.versions.node}.\n` +
        'Install a current one from https://nodejs.org or with your version manager (nvm install 22), then try again.',
    )
}

const wantedDependencies = () => hashOf(['package-lock.json'], process.version)
const dependenciesAreHere = () => readStamp(DEPENDENCY_STAMP) === wantedDependencies()

async function installDependencies(signalExitCode) {
  if (!installedByHand()) await step('Installing dependencies (npm ci, about a minute)', () => install(signalExitCode))
  writeFileSync(join(ROOT, DEPENDENCY_STAMP), `${wantedDependencies()}\n`)
}

/** Whether somebody ran npm already: its record of what is installed has the versions of our lock file. */
function installedByHand() {
  const record = readStamp('node_modules/.package-lock.json')
  if (record === null) return false
  const installed = JSON.parse(record).packages
  const locked = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages
  return Object.entries(locked).every(
    ([path, { version, link, optional }]) =>
      link || !path.includes('node_modules/') || installed[path]?.version === version || (optional && !installed[path]),
  )
}

async function install(signalExitCode) {
  const { bavail, bsize } = statfsSync(ROOT)
  if (bavail * bsize < INSTALL_BYTES)
    throw new SetupError(
      `Only ${Math.floor((bavail * bsize) / 1e6)} MB are free where this checkout lies; installing needs about 700 MB for a while.\n` +
        'Free some space (npm cache clean --force helps), or move the checkout to a larger disk, then try again.',
    )
  // The npm that started us, when there is one: the PATH may lead to another or to none.
  const npm = process.env.npm_execpath
  const [command, ...first] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm']
  const args = [...first, 'ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const { code, text } = await runStep(command, args, { signalExitCode })
  if (code !== 0) throw new SetupError(`npm ci failed.\n${lastLines(text)}\n\n${npmAdvice(code, text)}`)
}

function npmAdvice(code, text) {
  if (code === 127) return 'npm was not found. It comes with Node.js: check that it is on the PATH.'
  if (/ENOSPC/.test(text)) return 'The disk is full. Free about 700 MB, then try again.'
  if (/EACCES|EPERM|EROFS/.test(text))
    return 'This user may not write here. Make the checkout (and the npm cache, ~/.npm) yours: sudo chown -R "$USER" .'
  if (/ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|ERR_SOCKET_TIMEOUT|network/i.test(text))
    return (
      'The npm registry cannot be reached. Check the network; behind a proxy set HTTPS_PROXY,\n' +
      'with a mirror: npm config set registry URL. Once dependencies are there, no network is needed.'
    )
  if (/EUSAGE/.test(text))
    return 'package.json and package-lock.json do not agree. git checkout package-lock.json may mend it.'
  return "The lines above are npm's own words."
}

async function step(title, work) {
  const started = performance.now()
  process.stdout.write(`${title} ... `)
  const failure = await work()
  if (typeof failure === 'string') throw new SetupError(`${title} failed.\n${lastLines(failure)}`)
  process.stdout.write(`done in ${((performance.now() - started) / 1_000).toFixed(0)} s\n`)
}

export function lastLines(text, most = 40) {
  return text.trim().split('\n').slice(-most).join('\n')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await withSetupErrors(() => bootstrap({ build: !process.argv.includes('--no-build') }))
