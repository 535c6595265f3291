import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { lastLines } from './bootstrap.mjs'
import { cleanEnvironment, runStep } from './run-step.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const ADVICE = `No Chromium for the end-to-end tests. Install one (Debian, Ubuntu: apt-get install chromium; macOS: brew install
chromium; or Google Chrome), or name one: CHROMIUM_BIN=/path/to/chromium npm test. Without: npm test -- --unit`

/** `{ path }`, or `{ problem }` in words. Installs Debian's package when run there as root. */
export async function findChromium() {
  const named = process.env.CHROMIUM_BIN
  if (named)
    return isProgram(named) ? { path: named } : { problem: `$CHROMIUM_BIN is ${named}, but that is no program` }
  const found = onPath()
  if (found !== null) return { path: found }
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return { problem: ADVICE }
  process.stdout.write('Installing Chromium (apt-get install chromium) ...\n')
  const failure = await installDebianPackage()
  const installed = onPath()
  return installed === null ? { problem: `${ADVICE}\n\napt-get said:\n${lastLines(failure, 10)}` } : { path: installed }
}

async function installDebianPackage() {
  const env = { ...cleanEnvironment(), DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) => runStep('apt-get', ['-y', '-q', ...args], { env })
  const first = await apt('install', '--no-install-recommends', 'chromium')
  if (first.code === 0) return ''
  // The lists are missing or old on a fresh machine.
  await apt('update')
  const { text } = await apt('install', '--no-install-recommends', 'chromium')
  return text
}

function onPath() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram) ?? null
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
