/** The first of a header's values; empty where there is none. */
export function header(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

/** How far the other clock is ahead of ours: Date tells whole seconds, so half of one is added. */
export function skewSeconds(date: string, nowSeconds: number): number | null {
  const milliseconds = Date.parse(date)
  return Number.isNaN(milliseconds) ? null : milliseconds / 1_000 + 0.5 - nowSeconds
}
