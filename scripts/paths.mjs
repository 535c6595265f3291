import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's own directory, wherever it lies. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Held by whoever installs or builds. */
export const SETUP_LOCK = join(ROOT, '.setup.lock')

/** Files below `path` (or the file itself), in a stable order; `path` is relative to the root. */
export function filesBelow(path) {
  const full = join(ROOT, path)
  if (!existsSync(full)) return []
  if (statSync(full).isFile()) return [path]
  return readdirSync(full, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name }) => filesBelow(`${path}/${name}`))
}

/** One hash over names and contents. */
export function hashOf(paths, ...more) {
  const hash = createHash('sha256')
  for (const path of paths)
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(ROOT, path)))
      .update('\0')
  for (const text of more) hash.update(`${text}\0`)
  return hash.digest('hex')
}

export function readStamp(path) {
  try {
    return readFileSync(join(ROOT, path), 'utf8').trim()
  } catch {
    return null
  }
}
