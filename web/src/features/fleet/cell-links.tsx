import type { Workload } from '@goldseam/server/contract'
import { createContext, type ReactNode, useMemo } from 'react'
import { keepScope } from '../../scope/scope-search.ts'
import { type SearchText, stringifySearch } from '../../scope/search-codec.ts'
import { useSearchText } from '../../scope/use-scope.ts'
import { workloadPath } from '../../scope/workload-path.ts'

/** The search of a workload's page with the time and the clusters on screen: of its first part, and of its interval log. */
export interface PageSearch {
  readonly page: string
  readonly log: string
}

export function pageSearch(search: SearchText): PageSearch {
  const kept = keepScope(search)
  return { page: stringifySearch(kept), log: stringifySearch({ ...kept, tab: 'log' }) }
}

/** Made once a table: to ask the router for every cell's address would cost more than to draw the cell. */
export const CellSearch = createContext<PageSearch>({ page: '', log: '' })

/** Around the table's body; the address bar is stamped with every answer, and no cell is drawn anew for that. */
export function CellLinks({ children }: { readonly children: ReactNode }) {
  const { page, log } = pageSearch(useSearchText())
  const search = useMemo(() => ({ page, log }), [page, log])
  return <CellSearch value={search}>{children}</CellSearch>
}

const PANELS: Readonly<Record<string, string>> = {
  success: 'success',
  rps: 'rps',
  p50: 'latency',
  p95: 'latency',
  p99: 'latency',
  p999: 'latency',
  trend: 'latency',
}

/** The address of what stands behind one number of a row, on the workload's page; null where there is nothing more. */
export function cellAddress(column: string, { id, change, own }: Workload, search: PageSearch): string | null {
  const path = workloadPath(id)
  if (path === null) return null
  const panel = PANELS[column]
  if (panel !== undefined) return `${path}${search.page}#${panel}`
  // What a status is the sum of: the argument where there is one, else the whole page.
  if (column === 'glyph') return `${path}${search.page}${own.share === null ? '' : '#why'}`
  if (column === 'own') return own.share === null ? null : `${path}${search.page}#why`
  return column === 'change' && change !== '' ? `${path}${search.log}` : null
}
