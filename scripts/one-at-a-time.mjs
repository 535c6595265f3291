import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_AGAIN_MS = 200
/** Long after any set-up has ended: its number is another process's by now. */
const STALE_MS = 3_600_000
/** Whoever makes a lock writes his number into it at once. */
const UNWRITTEN_MS = 5_000

/**
 * Does `work` while no other process holds the file `lock`, and gives what it gives. One that ended without taking its
 * lock away holds it no longer. `waitsFor` is told the number of a process that is waited for, once.
 *
 * @template T
 * @param {string} lock
 * @param {() => Promise<T>} work
 * @param {(pid: number, lock: string) => void} waitsFor
 */
export async function oneAtATime(lock, work, waitsFor = sayWhoIsWaitedFor) {
  let told = false
  while (!take(lock)) {
    const holder = holderOf(lock)
    if (holder === null) continue
    if (!told) waitsFor(holder, lock)
    told = true
    await sleep(LOOK_AGAIN_MS)
  }
  const release = () => rmSync(lock, { force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

function sayWhoIsWaitedFor(pid, lock) {
  process.stdout.write(
    `Another command (process ${pid}) gets this checkout ready: this one goes on when it has.\n` +
      `If there is none, remove ${lock}.\n`,
  )
}

function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    // Where it cannot be written neither can the rest, which tells what to do.
    return error.code !== 'EEXIST'
  }
}

/** Null: nobody any more. What was left behind is put away. */
function holderOf(lock) {
  const found = read(lock)
  if (found === null) return null
  const holder = Number(found.text)
  const isHeld = found.text === '' ? found.ageMs < UNWRITTEN_MS : found.ageMs < STALE_MS && isAlive(holder)
  if (isHeld) return holder
  // Not removed in place: another one that waits may have done so by now, and hold it.
  const aside = `${lock}.${process.pid}`
  try {
    renameSync(lock, aside)
    if (read(aside)?.text === found.text) rmSync(aside, { force: true })
    else renameSync(aside, lock)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  return null
}

function read(lock) {
  try {
    return { text: readFileSync(lock, 'utf8'), ageMs: Date.now() - statSync(lock).mtimeMs }
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
