import { mkdir, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cacheFolder } from '../prometheus/cache-folder.ts'
import { SetupProblem } from './setup-problem.ts'

const NEEDED_BYTES = 500e6

/** An empty folder for this run, where there is room: the system's folder for temporary files, else the cache. */
export async function createRunFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const candidates = [tmpdir(), cacheFolder()]
  const found: string[] = []
  for (const parent of candidates) {
    await mkdir(parent, { recursive: true }).catch(() => undefined)
    const free = await freeBytes(parent)
    found.push(`${parent} has ${free === undefined ? 'no room that could be seen' : `${Math.floor(free / 1e6)} MB`}`)
    if (free === undefined || free < NEEDED_BYTES) continue
    const path = await mkdtemp(join(parent, 'goldseam-demo-'))
    return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) }
  }
  throw new SetupProblem(
    `Not enough room on the disk: the demo needs ${NEEDED_BYTES / 1e6} MB, but ${found.join(' and ')}. Free some, or set TMPDIR to a folder that has it.`,
  )
}

async function freeBytes(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return undefined
  }
}
