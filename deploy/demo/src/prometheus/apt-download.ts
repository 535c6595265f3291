import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { FetchContext } from './fetch-context.ts'

const run = promisify(execFile)
const APT_LIMIT_MS = 300_000

/** Debian packages as files in `folder`. As root, package lists that are missing or too old are read first. */
export async function downloadDebianPackages(
  names: readonly string[],
  folder: string,
  { onProgress, signal }: Pick<FetchContext, 'onProgress' | 'signal'>,
): Promise<void> {
  const isRoot = process.getuid?.() === 0
  // As root apt drops to a user of its own, who may not write here.
  const sandbox = isRoot ? ['-o', 'APT::Sandbox::User=root'] : []
  const apt = (...args: string[]) =>
    run('apt-get', [...sandbox, '-q', ...args], { cwd: folder, timeout: APT_LIMIT_MS, signal })
  try {
    await apt('download', ...names)
  } catch (error) {
    if (!isRoot || signal?.aborted || isMissing(error)) throw error
    onProgress('reading the package lists (apt-get update)')
    await apt('update')
    await apt('download', ...names)
  }
}

/** There is no such program here: then reading the package lists would not help either. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
