/**
 * Lets a wall run against the demo, with a snapshot each second, and says whether it grows.
 *
 *   npm run soak -- --minutes 30        [--minutes 1440 is a day] [--url http://host:8700 instead of the demo]
 *
 * A frame a second is ten times the usual pace: 30 minutes draw what a wall draws in five hours.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { bootstrap, SetupError, withSetupErrors } from '../scripts/bootstrap.mjs'
import { findChromium } from '../scripts/find-chromium.mjs'
import { freePorts } from '../scripts/free-ports.mjs'
import { ROOT } from '../scripts/paths.mjs'
import { judge, LIMITS, table } from './soak-figures.mjs'

const SAMPLE_MS = 10_000

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' }, url: { type: 'string' } } })
const minutes = Number(values.minutes)
await withSetupErrors(async () => {
  if (!(minutes > 0)) throw new SetupError(`--minutes '${values.minutes}' is not a number of minutes.`)
  await bootstrap()
  const { path, problem } = await findChromium()
  if (problem !== undefined) throw new SetupError(problem)
  const demo = values.url === undefined ? await startDemo() : null
  try {
    process.exitCode = await soak(demo?.url ?? values.url, path)
  } finally {
    await demo?.stop()
  }
})

async function soak(url, executablePath) {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } })
  const faults = []
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('crash', () => faults.push('the page crashed'))
  await page.goto(`${url}/wall`)
  await page.frameLocator('iframe').locator('.cells canvas').waitFor({ timeout: 60_000 })
  const shell = await session(page.context(), page)
  let picture = null
  const samples = []
  const started = performance.now()
  while (performance.now() - started < minutes * 60_000) {
    await sleep(Math.min(SAMPLE_MS, Math.max(0, minutes * 60_000 - (performance.now() - started))))
    const frame = page.frames().at(-1)
    if (picture?.frame !== frame) picture = { frame, session: await session(page.context(), frame) }
    const seen = await frame.evaluate(() => ({
      frames: Number(document.querySelector('.wall')?.getAttribute('data-seq')),
      canvases: document.querySelectorAll('canvas').length,
      rows: document.querySelectorAll('.rail-row').length,
      link: document.querySelector('.wall')?.getAttribute('data-link'),
      tileErrors: document.querySelectorAll('.tile-error').length,
    }))
    const covered = await page.locator('.cover').isVisible()
    const figures = { picture: await figuresOf(picture.session), shell: await figuresOf(shell) }
    const sample = { seconds: (performance.now() - started) / 1_000, ...seen, ...figures }
    samples.push(sample)
    if (covered) faults.push(`at ${sample.seconds.toFixed(0)} s there was no picture`)
    if (seen.link !== 'live' || seen.tileErrors > 0)
      faults.push(`at ${sample.seconds.toFixed(0)} s: ${JSON.stringify(seen)}`)
    if (samples.length % 6 === 1) process.stdout.write(`${table(sample)}\n`)
  }
  await browser.close()
  const { lines, failures } = judge(samples)
  for (const line of [...lines, ...[...failures, ...faults].map((fault) => `FAILED  ${fault}`)])
    process.stdout.write(`${line}\n`)
  const passed = failures.length + faults.length === 0
  process.stdout.write(`${passed ? 'soak passed' : 'soak failed'}: ${minutes} min, limits ${JSON.stringify(LIMITS)}\n`)
  return passed ? 0 : 1
}

async function session(context, target) {
  const made = await context.newCDPSession(target)
  await made.send('Performance.enable')
  return made
}

/** After a collection, so that what counts is what is held. */
async function figuresOf(cdp) {
  await cdp.send('HeapProfiler.collectGarbage')
  const { metrics } = await cdp.send('Performance.getMetrics')
  const get = (name) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
  return { heapBytes: get('JSHeapUsedSize'), nodes: get('Nodes'), listeners: get('JSEventListeners') }
}

async function startDemo() {
  const [app, control, east, west] = await freePorts(4)
  const main = join(ROOT, 'deploy/demo/dist/main.js')
  const ports = ['--port', app, '--control-port', control, '--prometheus-ports', `${east},${west}`]
  const args = [main, '--no-open', '--refresh', '1s', ...ports.map(String)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  await new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      said += chunk
      if (said.includes('Ctrl-C stops everything')) resolve()
    })
    child.once('exit', (code) => reject(new SetupError(`The demo ended with code ${code}:\n${said}`)))
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return { url: `http://127.0.0.1:${app}`, stop }
}
