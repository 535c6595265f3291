import { UpstreamError } from './upstream-error.ts'

/** Waits for something others wait for too, and leaves when the signal aborts; the thing itself goes on. */
export function abortable<T>(what: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(whyLeft(signal))
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave, { once: true })
    const settled = () => signal.removeEventListener('abort', leave)
    what.then(resolve, reject).finally(settled)
  })
}

/** What a call ends with whose signal aborted: who gave up because of another call's failure says so. */
export function whyLeft({ reason }: AbortSignal): UpstreamError {
  if (reason instanceof UpstreamError) return reason
  return new UpstreamError('aborted', 'nobody waits for the answer any more', reason)
}
