/** In the proportion of the defaults, 10 s and 3 s: so soon that a test need not wait, so seldom that a deadline fits in. */
export const REFRESH_SECONDS = 3
export const SOFT_DEADLINE_SECONDS = 0.9
/** The age that nothing of a healthy cluster may reach on screen, and the time in which a mended one is back. */
export const TWO_REFRESHES_SECONDS = 2 * REFRESH_SECONDS
/** Instants are aligned to 5 s and lag 2 s: so much older than the moment it was asked for one may be. */
export const INSTANT_LAG_SECONDS = 2
export const OLDEST_INSTANT_SECONDS = 5 + INSTANT_LAG_SECONDS
