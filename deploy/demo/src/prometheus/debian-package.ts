import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { downloadDebianPackages } from './apt-download.ts'
import { type PrometheusBinary, tryBinary } from './candidate.ts'
import type { FetchContext } from './fetch-context.ts'

const run = promisify(execFile)
const SOURCE = 'Debian package'

/** Downloads the distribution's package and unpacks it into the cache. Nothing is installed and no root is needed. */
export async function fetchDebianPackage(context: FetchContext): Promise<PrometheusBinary | undefined> {
  const { cache, onProgress, failures } = context
  if (process.platform !== 'linux') {
    failures.push(`no Debian package on ${process.platform}`)
    return undefined
  }
  const folder = await mkdtemp(join(cache, 'fetching-'))
  try {
    onProgress('fetching the Debian package of Prometheus (20 MB)')
    await downloadDebianPackages(['prometheus'], folder, context)
    const archive = (await readdir(folder)).find((name) => name.endsWith('.deb'))
    if (archive === undefined) throw new Error('apt-get downloaded nothing')
    onProgress('unpacking it')
    await run('dpkg', ['-x', join(folder, archive), join(folder, 'unpacked')])
    return await keep(join(folder, 'unpacked/usr/bin/prometheus'), cache, SOURCE)
  } catch (error) {
    failures.push(`the Debian package: ${lastLine(error)}`)
    return undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Moves a binary to its place in the cache, by version, if it runs. */
export async function keep(binary: string, cache: string, source: string): Promise<PrometheusBinary | undefined> {
  const tried = await tryBinary(binary, source)
  if (!tried) throw new Error('its binary does not run on this machine')
  const place = join(cache, tried.version)
  await mkdir(place, { recursive: true })
  await chmod(binary, 0o755)
  await rename(binary, join(place, 'prometheus'))
  await writeFile(join(place, 'source'), `${source}\n`)
  return { ...tried, path: join(place, 'prometheus') }
}

export function lastLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.trim().split('\n').at(-1) ?? text
}
