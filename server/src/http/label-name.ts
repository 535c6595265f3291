import { ReadFailure } from '../federation/read-api/read-failure.ts'

const PREFIX = 'U__'
const HIGHEST = 0x10ffff

/** The label that a path names. Throws on one that no Prometheus takes. */
export function labelNameOf(text: string): string {
  const name = unescaped(text)
  // A slash may only come escaped: in its place it ends the name, and there is no such path.
  if (name !== '' && !text.includes('/')) return name
  throw new ReadFailure('bad_data', `invalid label name: ${JSON.stringify(name)}`)
}

/**
 * Dots and other signs arrive as `U__a_2e_b`, because paths could not always carry them; what is no such text stands
 * for itself. Source: prometheus/common model/metric.go, UnescapeName.
 */
function unescaped(text: string): string {
  if (!text.startsWith(PREFIX)) return text
  const pieces = text.slice(PREFIX.length).match(/__|_[0-9a-fA-F]{1,6}_|[^_]+|_/g) ?? []
  const signs = pieces.map((piece) => {
    if (!piece.startsWith('_')) return piece
    if (piece === '__') return '_'
    return piece === '_' ? null : signOf(Number.parseInt(piece.slice(1, -1), 16))
  })
  return signs.includes(null) ? text : signs.join('')
}

function signOf(code: number): string | null {
  const isHalf = code >= 0xd800 && code <= 0xdfff
  return isHalf || code > HIGHEST ? null : String.fromCodePoint(code)
}
