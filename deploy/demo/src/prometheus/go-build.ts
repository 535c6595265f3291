import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PrometheusBinary } from './candidate.ts'
import { keep, lastLine } from './debian-package.ts'
import type { FetchContext } from './fetch-context.ts'

const run = promisify(execFile)
const MODULE = 'github.com/prometheus/prometheus'
/** Prometheus 3.15; newer ones want a newer Go. */
const MODULE_VERSION = 'v0.315.0'
const BUILD_LIMIT_MS = 30 * 60_000

/**
 * Builds Prometheus as a dependency of an own module: `go install` refuses it because its go.mod has replace lines, which
 * only count in the main module and are therefore repeated here.
 */
export async function buildWithGo(context: FetchContext): Promise<PrometheusBinary | undefined> {
  const { cache, onProgress, failures, signal } = context
  if (signal?.aborted) return undefined
  const folder = await mkdtemp(join(cache, 'building-'))
  const env = { ...process.env, GOTOOLCHAIN: 'auto', GOFLAGS: '-mod=mod', CGO_ENABLED: '0' }
  const go = (...args: string[]) =>
    run('go', args, { cwd: folder, env, signal, timeout: BUILD_LIMIT_MS, maxBuffer: 64 << 20 })
  try {
    await go('version')
    onProgress(`building Prometheus with Go (${MODULE} ${MODULE_VERSION}): 5 to 15 minutes, once`)
    await writeFile(join(folder, 'go.mod'), 'module goldseam.local/prometheus\n\ngo 1.24\n')
    const { stdout } = await go('mod', 'download', '-json', `${MODULE}@${MODULE_VERSION}`)
    const goMod = await readFile(goModPath(stdout), 'utf8')
    await writeFile(join(folder, 'go.mod'), ownGoMod(goMod))
    // A release is told its version by its build; `--version` says nothing otherwise.
    const version = MODULE_VERSION.replace(/^v0\.(\d)(\d+)\.(\d+)$/, '$1.$2.$3')
    const stamp = `-ldflags=-X github.com/prometheus/common/version.Version=${version}`
    await go('build', stamp, '-o', 'prometheus', `${MODULE}/cmd/prometheus`)
    return await keep(join(folder, 'prometheus'), cache, 'built with Go')
  } catch (error) {
    failures.push(`Go: ${lastLine(error)}`)
    return undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function goModPath(json: string): string {
  const parsed: unknown = JSON.parse(json)
  if (typeof parsed === 'object' && parsed !== null && 'GoMod' in parsed && typeof parsed.GoMod === 'string') {
    return parsed.GoMod
  }
  throw new Error('go mod download named no go.mod')
}

/** Their replace lines and their Go version with one requirement: they themselves. */
export function ownGoMod(theirs: string): string {
  const goLine = /^go .+$/m.exec(theirs)?.[0] ?? 'go 1.24'
  const replaces = theirs.match(/^replace \((?:.|\n)*?^\)|^replace [^(\n].*$/gm) ?? []
  return ['module goldseam.local/prometheus', goLine, `require ${MODULE} ${MODULE_VERSION}`, ...replaces, ''].join(
    '\n\n',
  )
}
