/** What a way of getting Prometheus is given. */
export interface FetchContext {
  readonly cache: string
  readonly onProgress: (line: string) => void
  readonly failures: string[]
  readonly signal: AbortSignal | undefined
}
