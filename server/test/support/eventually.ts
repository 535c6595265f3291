import { vi } from 'vitest'

/** How long a test waits for what has to come, unless it says otherwise. */
const PATIENCE_MS = 90_000
const INTERVAL_MS = 250

/**
 * What `look` gives as soon as it no longer throws. Vitest's own `waitFor` gives up after a second unless told
 * otherwise, which a server beside five others on two busy cores does not always need less than for one answer; a
 * limit here ends what hangs, and is no promise about the server.
 *
 * @throws what `look` threw last, when it still throws after `timeoutMs`
 */
export function eventually<T>(
  look: () => T | Promise<T>,
  {
    timeoutMs = PATIENCE_MS,
    intervalMs = INTERVAL_MS,
  }: { readonly timeoutMs?: number; readonly intervalMs?: number } = {},
): Promise<T> {
  // biome-ignore lint/plugin: the one place that tells it how long.
  return vi.waitFor(look, { timeout: timeoutMs, interval: intervalMs })
}
