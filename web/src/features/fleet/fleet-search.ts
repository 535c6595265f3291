import { z } from 'zod'
import { STATUSES, type Status } from '../../answers/status.ts'
import { field } from '../../scope/fields.ts'

export const SORT_COLUMNS = [
  'blame',
  'name',
  'cluster',
  'success',
  'rps',
  'p50',
  'p95',
  'p99',
  'p999',
  'own',
  'change',
] as const
export type SortColumn = (typeof SORT_COLUMNS)[number]

export interface Sort {
  readonly column: SortColumn
  readonly descending: boolean
}

export const DEFAULT_SORT = '-blame'

const SortText = z.string().refine((text) => SORT_COLUMNS.some((column) => text === column || text === `-${column}`))

const Statuses = z
  .string()
  .transform((text) => text.split(',').filter(Boolean))
  .pipe(z.array(z.enum(STATUSES)))

export const FLEET_VIEWS = ['table', 'grid'] as const
export type FleetView = (typeof FLEET_VIEWS)[number]

const GROUPINGS = ['', 'cluster', 'ns'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** Columns that can be left out, by their names in links. */
export const CHOSEN_COLUMNS = ['sr', 'rps', 'p50', 'p95', 'p99', 'p999', 'own', 'trend', 'change'] as const
export type ChosenColumn = (typeof CHOSEN_COLUMNS)[number]

const Columns = z
  .string()
  .transform((text) => text.split(',').filter(Boolean))
  .pipe(z.array(z.enum(CHOSEN_COLUMNS)))

export const fleetFields = {
  q: field(z.string().max(200), ''),
  st: field(Statuses, [] as Status[]),
  sort: field(SortText, DEFAULT_SORT),
  /** Rows under headings. */
  group: field(z.enum(GROUPINGS), '' as Grouping),
  /** Empty: all. */
  cols: field(Columns, [] as ChosenColumn[]),
  view: field(z.enum(FLEET_VIEWS), 'table' as FleetView),
}

export function readSort(text: string): Sort {
  const descending = text.startsWith('-')
  const name = descending ? text.slice(1) : text
  return { column: SORT_COLUMNS.find((column) => column === name) ?? 'blame', descending }
}

/** Columns where the small values are the bad or the first ones. */
const ASCENDING_FIRST: readonly SortColumn[] = ['name', 'cluster', 'success']

/** A header is clicked: worst first, then the other way round, then back to blame. */
export function nextSort(current: Sort, column: SortColumn): string {
  const ascendingFirst = ASCENDING_FIRST.includes(column)
  const first = ascendingFirst ? column : `-${column}`
  const second = ascendingFirst ? `-${column}` : column
  if (current.column !== column) return first
  return current.descending === !ascendingFirst ? second : DEFAULT_SORT
}
