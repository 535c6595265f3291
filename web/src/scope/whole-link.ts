import { SEAL } from './parameters.ts'
import { parseSearch, type SearchText, stringifySearch } from './search-codec.ts'

/** A short digest of everything else in the link. */
const SEAL_LENGTH = 4

/** A path with its search, sealed: whoever opens a piece of it is told that it is a piece. */
export function sealed(pathname: string, search: SearchText): string {
  const rest = { ...search, [SEAL]: undefined }
  return `${pathname}${stringifySearch({ ...rest, [SEAL]: digest(pathname, rest) })}`
}

export type Seal = 'none' | 'whole' | 'broken'

/** `none`: written by hand or taken from the address bar. `search` is the text as it stands in the address. */
export function sealOf(pathname: string, search: string): Seal {
  const { [SEAL]: given, ...rest } = parseSearch(search)
  if (given === undefined) return 'none'
  return given === digest(pathname, rest) ? 'whole' : 'broken'
}

/** FNV-1a over what the link says, not over how it was escaped: programs that pass links on escape them anew. */
function digest(pathname: string, search: SearchText): string {
  let hash = 0x811c9dc5
  for (const character of `${decoded(pathname)}${stringifySearch(search)}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  }
  return hash.toString(36).padStart(SEAL_LENGTH, '0').slice(-SEAL_LENGTH)
}

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return pathname
  }
}
