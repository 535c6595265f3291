import { randomUUID } from 'node:crypto'
import { copyFile, lstat, mkdir, readdir, rename, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'

/** Pages that are open over a release ask for files of the build they came from. */
const KEEP_MS = 7 * 86_400_000
const AGAIN_MS = 12 * 3_600_000

/** Keeps a build's files for later builds, in a directory that outlives it. Gives what ends it. */
export interface KeptAssets {
  /** Where the files are, those of earlier builds among them. */
  readonly directory: string
  close(): void
}

/**
 * Copies the hashed files of `webDir` to `directory`, and takes away those that no server has had as its own for a week:
 * a file's time there is when one last had. Nothing else there is touched. `complain` hears what went wrong; nothing else depends on it.
 */
export async function keepAssets(
  webDir: string,
  directory: string,
  complain: (error: unknown) => void,
  nowMs: () => number = Date.now,
): Promise<KeptAssets> {
  const look = async () => {
    try {
      await mkdir(directory, { recursive: true })
      await keep(join(webDir, 'assets'), directory, nowMs())
    } catch (error) {
      complain(error)
    }
  }
  await look()
  const timer = setInterval(() => void look(), AGAIN_MS)
  timer.unref()
  return { directory, close: () => clearInterval(timer) }
}

/** As the build names what it makes: something, a hash, and an ending. */
const BUILT = /^[\w.-]+-[\w-]{8}\.(?:js|css|woff2?|svg|png|webp|avif|wasm)$/
/** The same, cut off while it was copied. */
const CUT_OFF = /^(.+)\.[0-9a-f-]{36}\.tmp$/

/** Whether a file of this name is a build's. All else in the directory is somebody's who knows nothing of Goldseam. */
export function isBuilt(name: string): boolean {
  return BUILT.test(name)
}

async function keep(assets: string, directory: string, nowMs: number): Promise<void> {
  const own = ((await unlessMissing(readdir(assets))) ?? []).filter(isBuilt)
  for (const name of own) await keepOne(join(assets, name), join(directory, name), new Date(nowMs))
  for (const name of await readdir(directory)) {
    if (own.includes(name) || !isBuilt(CUT_OFF.exec(name)?.[1] ?? name)) continue
    // Another server may have been faster.
    const found = await unlessMissing(lstat(join(directory, name)))
    if (found?.isFile() && nowMs - found.mtimeMs > KEEP_MS) await rm(join(directory, name), { force: true })
  }
}

/** A name stands for its text, so what is there is the same. Whoever is served meanwhile finds the whole of it. */
async function keepOne(from: string, to: string, now: Date): Promise<void> {
  const touched = await unlessMissing(utimes(to, now, now).then(() => true))
  if (touched) return
  const beside = `${to}.${randomUUID()}.tmp`
  try {
    await copyFile(from, beside)
    await utimes(beside, now, now)
    await rename(beside, to)
  } finally {
    await rm(beside, { force: true })
  }
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
