/**
 * So soon that a test need not wait, so seldom that a soft deadline and a busy machine fit in between; and no multiple of
 * the two seconds in which a fault comes and goes, or each snapshot would meet the same half of them.
 */
export const REFRESH_SECONDS = 3.5
export const SOFT_DEADLINE_SECONDS = 1.3
/** The age that nothing of a healthy cluster may reach on screen, and the time in which a mended one is back. */
export const TWO_REFRESHES_SECONDS = 2 * REFRESH_SECONDS
/** Instants are aligned to 5 s and lag 2 s: so much older than the moment it was asked for one may be. */
export const INSTANT_LAG_SECONDS = 2
export const OLDEST_INSTANT_SECONDS = 5 + INSTANT_LAG_SECONDS
