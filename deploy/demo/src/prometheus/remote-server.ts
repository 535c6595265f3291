import { setTimeout as sleep } from 'node:timers/promises'

const TRY_AGAIN_MS = 500

/** A Prometheus that somebody else runs: waits until it is ready and tells its version. Rejects only when `signal` aborts. */
export async function versionOnceReady(url: string, signal: AbortSignal): Promise<string> {
  for (;;) {
    const { data } = await get<{ data: { version?: string } }>(`${url}/api/v1/status/buildinfo`, signal).catch(() => ({
      data: null,
    }))
    signal.throwIfAborted()
    // A server that is still reading its log knows its version already, but takes no samples.
    const ready = await fetch(`${url}/-/ready`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    )
    signal.throwIfAborted()
    if (ready && data !== null) return data.version ?? ''
    await sleep(TRY_AGAIN_MS, undefined, { signal })
  }
}

/** Whether it holds samples of any target within the last `minutes`: none older than those can be added then. */
export async function hasPast(url: string, minutes: number, signal: AbortSignal): Promise<boolean> {
  const query = new URLSearchParams({ query: `count(count_over_time(up[${minutes}m]))` })
  const { data } = await get<{ data: { result: unknown[] } }>(`${url}/api/v1/query?${query}`, signal)
  return data.result.length > 0
}

async function get<T>(url: string, signal: AbortSignal): Promise<T> {
  const answer = await fetch(url, { signal })
  if (!answer.ok) throw new Error(`${url} answers with ${answer.status}`)
  return (await answer.json()) as T
}
