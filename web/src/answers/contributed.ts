import type { Suspect } from '@goldseam/server/contract'

/**
 * What a suspect adds to each request of the entry that it is a suspect for, in seconds (failures: a second). Its own
 * time is for each request of its own, of which there may be more or fewer.
 */
export function contributed({ own, deltaSeconds }: Pick<Suspect, 'own' | 'deltaSeconds'>): number | null {
  return own.share !== null && deltaSeconds !== null ? own.share * deltaSeconds : own.seconds
}
