import { UpstreamError } from './upstream-error.ts'

/** What came of a call, as a value. */
export type Outcome<T> = { readonly answer: T } | { readonly error: UpstreamError }

/** An upstream's failure as a value; anything else is ours and is thrown on. */
export async function outcomeOf<T>(ask: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { answer: await ask() }
  } catch (error) {
    if (error instanceof UpstreamError) return { error }
    throw error
  }
}
