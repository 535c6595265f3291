import { inOrder, longestValue, mayHaveLines, SEAL } from './parameters.ts'

/** Search parameters as plain text: every value is what a person would type, never JSON. */
export type SearchText = Readonly<Record<string, string | undefined>>

/**
 * Stands where a link is broken: for a control character, for half an escape, and behind a value that was too long.
 * No field takes a value with it, so the reader is told.
 */
export const BROKEN = '\ufffd'

const MOST_PARAMETERS = 100
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the point
const CONTROL = /[\u0000-\u001f\u007f]/g

/** Half a character, on which encodeURIComponent would throw. */
const LONE_SURROGATE = /[\ud800-\udfff]/gu

export function parseSearch(text: string): Record<string, string> {
  const found: Record<string, string> = {}
  const pairs = [...new URLSearchParams(text.replace(/^\?/, ''))].slice(0, MOST_PARAMETERS)
  for (const [key, value] of pairs) {
    if (Object.hasOwn(found, key) || key === '' || key === '__proto__') continue
    const clean = value.replace(CONTROL, (one) => (mayHaveLines(key) && /[\t\n\r]/.test(one) ? one : BROKEN))
    // Cut off right behind its name: dropped as empty, nobody would be told.
    found[key] = key === SEAL && clean === '' ? BROKEN : capped(clean, longestValue(key))
  }
  return found
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const pairs = inOrder(Object.keys(search)).flatMap((key) => {
    const value = search[key]
    return value === undefined || value === null || value === '' ? [] : [`${readable(key)}=${readable(String(value))}`]
  })
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

function capped(value: string, longest: number): string {
  return value.length <= longest ? value : `${value.slice(0, longest - 1)}${BROKEN}`
}

/** Percent-encodes, but leaves `, : / @ ~ * . _ -` alone so that links can be read and written by hand. */
function readable(text: string): string {
  return encodeURIComponent(text.replace(LONE_SURROGATE, BROKEN))
    .replace(/%(2C|3A|2F|40)/g, (encoded) => decodeURIComponent(encoded))
    .replace(/[!'()]/g, percent)
}

/** Chat programs cut links at brackets and quotes, and encodeURIComponent leaves those alone. */
function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
