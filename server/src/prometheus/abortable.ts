import { UpstreamError } from './upstream-error.ts'

/** Waits for something others wait for too, and leaves when the signal aborts; the thing itself goes on. */
export function abortable<T>(what: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason instanceof UpstreamError ? signal.reason : left())
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave, { once: true })
    const settled = () => signal.removeEventListener('abort', leave)
    what.then(resolve, reject).finally(settled)
  })
}

function left(): UpstreamError {
  return new UpstreamError('aborted', 'nobody waits for the answer any more')
}
