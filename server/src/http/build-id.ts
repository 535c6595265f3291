import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** They name every other file by its hash, so together they stand for all that a browser gets. */
const PAGES = ['index.html', 'wall.html', 'wall-app.html']

/** Files may be replaced under a running server. */
const LOOK_AGAIN_MS = 2_000

/** What runs here: the server's own name, and a hash of the page that it serves. Pages compare it to know a new one. */
export function createBuildId(name: string, webDir: string | null, nowMs: () => number = Date.now): () => string {
  if (webDir === null) return () => name
  let known = { stamp: '', id: name, lookedAtMs: Number.NEGATIVE_INFINITY }
  return () => {
    const now = nowMs()
    if (Math.abs(now - known.lookedAtMs) < LOOK_AGAIN_MS) return known.id
    const stamp = PAGES.map((page) => stampOf(join(webDir, page))).join(' ')
    const id = stamp === known.stamp ? known.id : idOf(name, webDir, known.id)
    known = { stamp, id, lookedAtMs: now }
    return id
  }
}

function idOf(name: string, webDir: string, before: string): string {
  const hash = createHash('sha256')
  try {
    for (const page of PAGES) hash.update(readFileSync(join(webDir, page)))
  } catch {
    // Being replaced at this moment, or not built: not a new build yet.
    return before
  }
  return `${name}-${hash.digest('hex').slice(0, 8)}`
}

function stampOf(file: string): string {
  try {
    const { mtimeMs, size } = statSync(file)
    return `${mtimeMs}:${size}`
  } catch {
    return '-'
  }
}
