import type { SavedLink } from '@goldseam/server/contract'
import { parseSearch, stringifySearch } from '../../scope/search-codec.ts'

/** Where a kept link leads; saved evidence to its own answers. Null for what is no page of ours. */
export function savedAddress({ address, kind, code }: SavedLink): string | null {
  if (address === null || !/^\/(?![/\\])/.test(address)) return null
  const at = address.indexOf('?')
  if (kind === 'link') return address
  const [path, search] = at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at)]
  const { k: _, ...rest } = parseSearch(search.split('#', 1)[0] ?? '')
  return `${path}${stringifySearch({ ...rest, saved: code })}`
}
