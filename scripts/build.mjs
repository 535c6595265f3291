/** Builds server and demo with tsc, the web app with Vite: `node scripts/build.mjs`. Outputs lie in the dist folders. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { keepAssets } from './keep-assets.mjs'
import { oneAtATime } from './one-at-a-time.mjs'
import { filesBelow, hashOf, ROOT, readStamp, SETUP_LOCK } from './paths.mjs'
import { runStep } from './run-step.mjs'

const BUILD_STAMP = 'node_modules/.cache/goldseam/build-stamp'
const INPUTS = [
  'package-lock.json',
  'tsconfig.base.json',
  'server/package.json',
  'server/tsconfig.json',
  'server/src',
  'deploy/demo/package.json',
  'deploy/demo/tsconfig.json',
  'deploy/demo/src',
  'web/package.json',
  'web/tsconfig.json',
  'web/vite.config.ts',
  'web/vite.wall.config.ts',
  'web/lean-zod.ts',
  'web/index.html',
  'web/public',
  'web/src',
]

const hasWeb = () => existsSync(join(ROOT, 'web/vite.config.ts'))

function inputsHash() {
  const sources = INPUTS.flatMap(filesBelow).filter((path) => !/\.test\.tsx?$/.test(path))
  return hashOf(sources, process.version)
}

/** The pages, then the wall's two programs beside them. */
function webBuilds() {
  const wall = ['--config', join(ROOT, 'web/vite.wall.config.ts')]
  return [[], [...wall, '--mode', 'app'], [...wall, '--mode', 'shell']]
}

/** Whether the outputs are there and made from the sources as they are now. */
export function buildIsFresh() {
  const outputs = [
    'server/dist/main.js',
    'deploy/demo/dist/main.js',
    ...(hasWeb() ? ['web/dist/index.html', 'web/dist/wall.html', 'web/dist/wall-app.html'] : []),
  ]
  return outputs.every((path) => existsSync(join(ROOT, path))) && readStamp(BUILD_STAMP) === inputsHash()
}

/** Undefined when all is built, else what the failing tool said. */
export async function build(signalExitCode = null, output = 'kept') {
  const hash = inputsHash()
  const tsc = join(ROOT, 'node_modules/@typescript/native/bin/tsc')
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const steps = [
    [tsc, '-b', join(ROOT, 'server'), join(ROOT, 'deploy/demo')],
    ...(hasWeb() ? webBuilds().map((args) => [vite, 'build', join(ROOT, 'web'), '--logLevel', 'warn', ...args]) : []),
  ]
  const restore = keepAssets(join(ROOT, 'web/dist/assets'), join(ROOT, 'node_modules/.cache/goldseam/assets'))
  for (const args of steps) {
    const { code, text } = await runStep(process.execPath, args, { output, signalExitCode })
    if (code !== 0) return text === '' ? 'the build failed' : text
  }
  if (hasWeb()) restore()
  mkdirSync(dirname(join(ROOT, BUILD_STAMP)), { recursive: true })
  writeFileSync(join(ROOT, BUILD_STAMP), `${hash}\n`)
  return undefined
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const failure = await oneAtATime(SETUP_LOCK, () => build(null, 'shown'))
  if (failure !== undefined) process.exitCode = 1
}
