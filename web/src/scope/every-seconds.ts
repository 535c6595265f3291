/** More would be no refresh at all, and beyond what timers can count. */
const MOST_SECONDS = 86_400

/** How often a link wants to be refreshed at most: `refresh=30s`. 0: as often as there is anything new. */
export function everySecondsOf(refresh: string): number {
  const seconds = /^(\d+)s$/.exec(refresh)?.[1]
  return seconds === undefined ? 0 : Math.min(MOST_SECONDS, Number(seconds))
}
