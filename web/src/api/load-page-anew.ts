const KEY = 'goldseam.reloaded'
/** How long after so many in a row another one is made: what two did not bring, a third hardly does. */
const PAUSES_MS = [0, 30_000, 10 * 60_000] as const
const FORGOTTEN_AFTER_MS = 10 * 60_000

interface Reloads {
  readonly atMs: number
  /** One soon after the other. */
  readonly times: number
}

/** Loads the page anew where the server was just seen to have one: a browser's error page cannot try again. */
export async function reloadIfServed(before: () => void = () => undefined): Promise<void> {
  for (const path of ['/api/v1/build', '/']) {
    const answer = await fetch(path, { cache: 'no-store' })
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
  }
  before()
  location.reload()
}

/** The last times that the page was loaded anew by itself are too short a while ago for another one. */
export class TooSoon extends Error {}

/** Loads the page anew where nobody asked for it, so not in circles. */
export async function reloadBySelf(): Promise<true> {
  const { atMs, times } = lastReloads()
  const passedMs = Date.now() - atMs
  if (passedMs < (PAUSES_MS[Math.min(times, PAUSES_MS.length - 1)] ?? 0)) throw new TooSoon()
  const again = passedMs < FORGOTTEN_AFTER_MS ? times + 1 : 1
  await reloadIfServed(() => sessionStorage.setItem(KEY, `${Date.now()} ${again}`))
  return true
}

/** Throws where storage is forbidden: what cannot be counted is not done. */
function lastReloads(): Reloads {
  const [atMs = 0, times = 0] = (sessionStorage.getItem(KEY) ?? '').split(' ').map(Number)
  return Number.isFinite(atMs) && Number.isFinite(times) ? { atMs, times } : { atMs: 0, times: 0 }
}
