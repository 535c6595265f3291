/** Search parameters as plain text: every value is what a person would type, never JSON. */
export type SearchText = Readonly<Record<string, string | undefined>>

/** A PromQL expression may be long; what else is too long for its place is refused there. */
const LONGEST_VALUE = 8_000
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the point
const CONTROL = /[\u0000-\u001f\u007f]/g

export function parseSearch(text: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [key, value] of new URLSearchParams(text.replace(/^\?/, ''))) {
    if (key in found || key === '') continue
    found[key] = value.replace(CONTROL, '').slice(0, LONGEST_VALUE)
  }
  return found
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(search).flatMap(([key, value]) =>
    value === undefined || value === null || value === '' ? [] : [`${readable(key)}=${readable(String(value))}`],
  )
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

/** Percent-encodes, but leaves `, : / @ ~ * . _ -` alone so that links can be read and written by hand. */
function readable(text: string): string {
  return encodeURIComponent(text)
    .replace(/%(2C|3A|2F|40)/g, (encoded) => decodeURIComponent(encoded))
    .replace(/[!'()]/g, percent)
}

/** Chat programs cut links at brackets and quotes, and encodeURIComponent leaves those alone. */
function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
