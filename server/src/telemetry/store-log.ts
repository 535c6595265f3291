import type { Logger } from './logger.ts'

const QUIET_SECONDS = 60

/**
 * Told after each time the store of the links was asked: why it could not answer, or null when it did. Each cause is
 * logged at most once a minute, however many ask, and so is that it answers again.
 */
export function createStoreLog(logger: Logger, nowSeconds: () => number): (why: string | null) => void {
  const toldAtSeconds = new Map<string | null, number>()
  let told: string | null = null
  return (why) => {
    if (why === null && told === null) return
    const now = nowSeconds()
    if (now - (toldAtSeconds.get(why) ?? -Infinity) < QUIET_SECONDS) return
    toldAtSeconds.set(why, now)
    told = why
    if (why === null) logger.info('the store of links answers again')
    else logger.warn({ why }, 'the store of links does not answer as it should')
  }
}
