import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface PrometheusBinary {
  readonly path: string
  readonly version: string
  /** Where it came from, for the reader: "PATH", "Debian package, cached"... */
  readonly source: string
}

/** The binary with its version, or undefined if it does not run here (another architecture, a broken download). */
export async function tryBinary(path: string, source: string): Promise<PrometheusBinary | undefined> {
  try {
    const { stdout, stderr } = await run(path, ['--version'], { timeout: 20_000 })
    const version = /prometheus, version ([^\s,(]*)/.exec(stdout + stderr)?.[1]
    // One that somebody built by hand has no version to show, but it runs.
    return version === undefined ? undefined : { path, version: /^\d[^+-]*/.exec(version)?.[0] ?? 'unknown', source }
  } catch {
    return undefined
  }
}
