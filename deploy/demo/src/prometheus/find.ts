import { mkdir, readdir, readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { SetupProblem } from '../process/setup-problem.ts'
import { cacheFolder } from './cache-folder.ts'
import { type PrometheusBinary, tryBinary } from './candidate.ts'
import { fetchDebianPackage } from './debian-package.ts'
import type { FetchContext } from './fetch-context.ts'
import { buildWithGo } from './go-build.ts'

export interface FindOptions {
  readonly env?: NodeJS.ProcessEnv
  /** Told in one line each what takes a while. */
  readonly onProgress?: (line: string) => void
  /** Ends a download or a build that is under way. */
  readonly signal?: AbortSignal
}

/** Finds a Prometheus that runs, or makes one, without installing anything: see the order below. */
export async function findPrometheus(options: FindOptions = {}): Promise<PrometheusBinary> {
  const env = options.env ?? process.env
  const onProgress = options.onProgress ?? (() => {})
  const cache = join(cacheFolder(env), 'prometheus')
  const failures: string[] = []

  const found = (await fromEnvironment(env, failures)) ?? (await fromPath(env)) ?? (await fromCache(cache))
  if (found) return found
  await mkdir(cache, { recursive: true })
  const context: FetchContext = { cache, onProgress, failures, signal: options.signal }
  const made = (await fetchDebianPackage(context)) ?? (await buildWithGo(context))
  options.signal?.throwIfAborted()
  if (made) return made
  throw new SetupProblem(explainNone(failures))
}

async function fromEnvironment(env: NodeJS.ProcessEnv, failures: string[]): Promise<PrometheusBinary | undefined> {
  const path = env.PROMETHEUS_BIN
  if (!path) return undefined
  const found = await tryBinary(path, '$PROMETHEUS_BIN')
  if (!found) failures.push(`$PROMETHEUS_BIN is ${path}, which does not run`)
  return found
}

async function fromPath(env: NodeJS.ProcessEnv): Promise<PrometheusBinary | undefined> {
  for (const folder of (env.PATH ?? '').split(delimiter).filter(Boolean)) {
    const found = await tryBinary(join(folder, 'prometheus'), 'PATH')
    if (found) return found
  }
  return undefined
}

/** Newest version first. The file `source` beside a binary says how it got there. */
async function fromCache(cache: string): Promise<PrometheusBinary | undefined> {
  const versions = await readdir(cache).catch(() => [])
  versions.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  for (const version of versions) {
    const source = await readFile(join(cache, version, 'source'), 'utf8').catch(() => '')
    const found = await tryBinary(join(cache, version, 'prometheus'), source ? `${source.trim()}, cached` : 'cached')
    if (found) return found
  }
  return undefined
}

function explainNone(failures: readonly string[]): string {
  return [
    'No Prometheus to be had.',
    ...failures.map((failure) => `  - ${failure}`),
    'Any one of these will do:',
    '  - set PROMETHEUS_BIN to the path of a prometheus binary (2.42 or newer)',
    '  - put prometheus on the PATH, e.g. from https://prometheus.io/download or your package manager',
    '  - on Debian or Ubuntu: make sure `apt-get download prometheus` works (as root: `apt-get update` first)',
    '  - install Go 1.24 or newer: the demo then builds Prometheus itself (5 to 15 minutes, once)',
  ].join('\n')
}
