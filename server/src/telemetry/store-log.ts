import type { Logger } from './logger.ts'

const QUIET_SECONDS = 60

/** How the log says it. */
interface StoreWords {
  readonly answers: string
  readonly fails: string
}

const LINKS: StoreWords = {
  answers: 'the store of links answers again',
  fails: 'the store of links does not answer as it should',
}

/**
 * Told after each time a store (of links, if no words say otherwise) was asked: why it could not answer, or null when it
 * did. Each cause is logged at most once a minute, however many ask, and so is that it answers again.
 */
export function createStoreLog(
  logger: Logger,
  nowSeconds: () => number,
  { answers, fails }: StoreWords = LINKS,
): (why: string | null) => void {
  const toldAtSeconds = new Map<string | null, number>()
  let told: string | null = null
  return (why) => {
    if (why === null && told === null) return
    const now = nowSeconds()
    if (Math.abs(now - (toldAtSeconds.get(why) ?? -Infinity)) < QUIET_SECONDS) return
    toldAtSeconds.set(why, now)
    told = why
    if (why === null) logger.info(answers)
    else logger.warn({ why }, fails)
  }
}
