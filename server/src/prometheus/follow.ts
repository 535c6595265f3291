import { setMaxListeners } from 'node:events'

/**
 * Has `follower` aborted when the signal is, for the same reason; what is returned ends that. Instead of
 * `AbortSignal.any`, which on Node 20 leaves a piece of memory with a signal that lives as long as the process
 * (nodejs/node#55351).
 */
export function follow(signal: AbortSignal, follower: AbortController): () => void {
  const end = () => follower.abort(signal.reason)
  if (signal.aborted) {
    end()
    return () => undefined
  }
  // As many as there are questions under way.
  setMaxListeners(0, signal)
  signal.addEventListener('abort', end, { once: true })
  return () => signal.removeEventListener('abort', end)
}
