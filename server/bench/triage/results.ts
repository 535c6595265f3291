import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Job, Result } from './jobs.ts'

/**
 * What was found, a line of JSON each, in a file of this build's own: a bench that is stopped loses nothing, and one
 * that is started again goes on where it was.
 */
export class Results {
  readonly file: string
  readonly #known = new Map<string, Result>()

  /** `file`: what some build wrote, this one or another. */
  constructor(file: string | null) {
    this.file = file ?? join(homedir(), `.cache/goldseam/bench/triage-${buildHash()}.jsonl`)
    mkdirSync(dirname(this.file), { recursive: true })
    if (!existsSync(this.file)) return
    for (const line of readFileSync(this.file, 'utf8').split('\n')) {
      const entry = entryOf(line)
      if (entry !== null) this.#known.set(keyOf(entry.job), entry.result)
    }
  }

  of(job: Job): Result | undefined {
    return this.#known.get(keyOf(job))
  }

  keep(job: Job, result: Result): void {
    this.#known.set(keyOf(job), result)
    appendFileSync(this.file, `${JSON.stringify({ job, result })}\n`)
  }
}

interface Entry {
  readonly job: Job
  readonly result: Result
}

/** Null for an empty line, and for one that was not written to its end. */
function entryOf(line: string): Entry | null {
  try {
    return JSON.parse(line) as Entry
  } catch {
    return null
  }
}

function keyOf(job: Job): string {
  return job.what === 'incident' ? `${job.kind} ${job.seed}` : `healthy ${job.seed} ${job.days} ${job.day}`
}

/** Files that only tell of outcomes, or measure something else. */
const TELLING = new Set(['jobs.js', 'main.js', 'report.js', 'results.js', 'speed.js', 'statistics.js'])

/** Of everything compiled that an outcome may depend on, and of the engine that runs it. */
function buildHash(): string {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const hash = createHash('sha256').update(process.versions.v8)
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true }).sort(byPath)) {
    if (!entry.isFile() || !entry.name.endsWith('.js') || TELLING.has(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    hash.update(relative(root, path)).update(readFileSync(path))
  }
  return hash.digest('hex').slice(0, 12)
}

function byPath(a: { parentPath: string; name: string }, b: { parentPath: string; name: string }): number {
  return join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1
}
