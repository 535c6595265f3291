import { UpstreamError } from './upstream-error.ts'

/**
 * Why a question is given up when the time is over that whoever asked gave it. As the reason of an abort it tells this
 * from a caller who left, and from one who gave up because another question took too long.
 */
export class OutOfTime extends UpstreamError {
  constructor(message: string) {
    super('timeout', message)
  }
}

/** Whether a signal aborted for that reason; those of `AbortSignal.timeout` do. */
export function isOutOfTime({ reason }: AbortSignal): boolean {
  return reason instanceof OutOfTime || (reason instanceof Error && reason.name === 'TimeoutError')
}
