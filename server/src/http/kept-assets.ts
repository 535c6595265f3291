import { copyFile, mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
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
 * Copies the hashed files of `webDir` to `directory`, and takes away what no server has had as its own for a week: a
 * file's time there is when one last had. `complain` hears what went wrong; nothing else depends on it.
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

async function keep(assets: string, directory: string, nowMs: number): Promise<void> {
  const own = (await readdir(assets)).filter((name) => !name.endsWith('.map'))
  const there = await readdir(directory)
  const now = new Date(nowMs)
  for (const name of own) {
    // A name stands for its text, so what is there is the same.
    if (!there.includes(name)) await copyFile(join(assets, name), join(directory, name))
    await utimes(join(directory, name), now, now)
  }
  for (const name of there.filter((one) => !own.includes(one))) {
    const { mtimeMs } = await stat(join(directory, name))
    if (nowMs - mtimeMs > KEEP_MS) await rm(join(directory, name), { force: true })
  }
}
