import { pathToFileURL } from 'node:url'
import { launchClusters } from './clusters-only.ts'
import { launch } from './launcher.ts'
import { HELP, parseOptions } from './options.ts'
import { createCleanups } from './process/cleanups.ts'
import { SetupProblem } from './process/setup-problem.ts'
import { createSteps } from './steps.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs the demo until a signal comes. Returns the exit code once nothing of it is left running. */
export async function runDemo(argv: string[]): Promise<number> {
  const parsed = parseOptions(argv)
  if (!parsed.ok) {
    console.error(`${parsed.problem}\n\n${HELP}`)
    return 1
  }
  if (parsed.options.help) {
    console.log(HELP)
    return 0
  }
  const steps = createSteps(process.stdout)
  const cleanups = createCleanups()
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  for (const name of SIGNALS) process.on(name, stop)
  try {
    const { signal } = stopping
    const start = parsed.options.only === 'clusters' ? launchClusters : launch
    await start({ options: parsed.options, steps, cleanups, signal })
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    return 0
  } catch (error) {
    if (stopping.signal.aborted) return 0
    steps.say(
      error instanceof SetupProblem ? `✗ ${error.message}` : `✗ ${error instanceof Error ? error.stack : error}`,
    )
    return 1
  } finally {
    const wasAsked = stopping.signal.aborted
    // From here on an ending child is expected.
    stop()
    if (wasAsked) steps.say('Stopping everything …')
    await cleanups.run()
    if (wasAsked) steps.say('Stopped.')
    for (const name of SIGNALS) process.off(name, stop)
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  // Idle keep-alive connections of the simulation would hold the process for a while.
  process.exit(await runDemo(process.argv.slice(2)))
}
