import { LinkRefused, type LinkStore } from './link-store.ts'

const AFTER_REFUSAL_SECONDS = 60

/**
 * Short codes for what walls show. Null where none is to be had: a store that is full is not asked again with each
 * picture. Rejects where the store does not answer.
 */
export function wallCodes(
  links: Pick<LinkStore, 'make'>,
  clock: () => number,
): (address: string) => Promise<string | null> {
  let refusedAtSeconds = Number.NEGATIVE_INFINITY
  return async (address) => {
    if (Math.abs(clock() - refusedAtSeconds) < AFTER_REFUSAL_SECONDS) return null
    const bare = { snapshotAtSeconds: null, verdict: null, answers: null }
    try {
      return (await links.make({ kind: 'link', title: 'What a wall showed', address, byWall: true, ...bare })).code
    } catch (error) {
      if (!(error instanceof LinkRefused)) throw error
      refusedAtSeconds = clock()
      return null
    }
  }
}
