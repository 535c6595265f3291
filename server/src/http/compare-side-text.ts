import { invalidRequest } from './mount.ts'

/** One side of a comparison, as it was written. Null: the whole of it. */
export interface SidePlace {
  readonly cluster: string | null
  readonly namespace: string | null
  readonly name: string | null
  readonly version: string | null
  /** As it was written; null: the page's own. */
  readonly window: { readonly from: string; readonly to: string } | null
}

/** Reads `cluster/namespace/name@v:version@from~to`, of which every part but the first may be missing. */
export function sidePlace(text: string, pointer: 'a' | 'b'): SidePlace {
  const [place = '', ...marks] = text.split('@')
  const [cluster = '', namespace = null, ...rest] = place.replace(/^cluster:/, '').split('/')
  const name = rest.join('/')
  const versions = marks.filter((mark) => mark.startsWith('v:'))
  const windows = marks.filter((mark) => !mark.startsWith('v:'))
  const fail = (detail: string) => invalidRequest([{ pointer: `/query/${pointer}`, detail }])
  if (versions.length > 1 || windows.length > 1) throw fail('names a version or a window twice')
  const version = versions[0]?.slice(2) ?? null
  if (version !== null && name === '') throw fail('a version is of one workload: cluster/namespace/name@v:version')
  const [from = '', to = '', more] = windows[0]?.split('~') ?? []
  if (windows.length === 1 && (from === '' || to === '' || more !== undefined)) throw fail('write a window as from~to')
  return {
    cluster: cluster === '*' || cluster === '' ? null : cluster,
    namespace: namespace === '' || namespace === '*' ? null : namespace,
    name: name === '' ? null : name,
    version,
    window: windows.length === 1 ? { from, to } : null,
  }
}
