/** Three digits. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return 'unknown'
  return Math.abs(value) >= 100 ? value.toFixed(0) : `${Number(value.toPrecision(3))}`
}

export const inSeconds = (seconds: number) => `${number(seconds)} s`
export const inMilliseconds = (seconds: number) => `${number(seconds * 1_000)} ms`
export const inMegabytes = (bytes: number) => `${number(bytes / 1e6)} MB`
export const inBytes = (bytes: number) => (bytes < 1e6 ? `${number(bytes / 1_000)} KB` : inMegabytes(bytes))

/** `1 pair`, `2 pairs`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
