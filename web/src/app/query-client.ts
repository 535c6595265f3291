import { QueryClient } from '@tanstack/react-query'

/** Old answers are kept long enough to come back to a screen and see it at once, with its age. */
const KEEP_MS = 5 * 60_000
const LONGEST_WAIT_MS = 8_000

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        gcTime: KEEP_MS,
        refetchIntervalInBackground: false,
        retryDelay: (attempt) => Math.min(1_000 * 2 ** attempt, LONGEST_WAIT_MS),
        // Our server is often on this very machine: a browser that believes itself offline must still ask.
        networkMode: 'always',
      },
    },
  })
}
