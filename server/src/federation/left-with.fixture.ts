import { getEventListeners } from 'node:events'

/** How many listen to a signal, those included that Node holds for `AbortSignal.any`, which it does not tell. */
export function leftWith(signal: AbortSignal): number {
  const dependants = Object.getOwnPropertySymbols(signal).find(({ description }) => description === 'kDependantSignals')
  const held = dependants === undefined ? undefined : (Reflect.get(signal, dependants) as { size: number } | null)
  return getEventListeners(signal, 'abort').length + (held?.size ?? 0)
}
