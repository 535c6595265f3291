const SECONDS_PER_UNIT: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 }
const BYTES_PER_UNIT: Readonly<Record<string, number>> = { B: 1, KiB: 1_024, MiB: 1_048_576, GiB: 1_073_741_824 }

/** Seconds in a duration such as `500ms`, `10s`, `5m`, `1h`, `7d`; null when the text is not one. */
export function durationSeconds(text: string): number | null {
  return scaled(text, /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/, SECONDS_PER_UNIT)
}

/** Bytes in a size such as `512KiB` or `64MiB`; null when the text is not one. */
export function sizeBytes(text: string): number | null {
  return scaled(text, /^(\d+(?:\.\d+)?)(B|KiB|MiB|GiB)$/, BYTES_PER_UNIT)
}

/** In the largest unit that it is one of at least, with two decimals at most: `512 KiB`, `1.5 MiB`. */
export function sizeText(bytes: number): string {
  const [unit, factor] = Object.entries(BYTES_PER_UNIT).findLast(([, one]) => bytes >= one) ?? ['B', 1]
  return `${Number((bytes / factor).toFixed(2))} ${unit}`
}

function scaled(text: string, pattern: RegExp, factors: Readonly<Record<string, number>>): number | null {
  const [, amount, unit] = pattern.exec(text) ?? []
  const factor = unit === undefined ? undefined : factors[unit]
  return factor === undefined ? null : Number(amount) * factor
}
