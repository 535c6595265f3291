import { csvOf, saveFile } from './save-file.ts'

export interface TableData {
  readonly head: readonly string[]
  /** Numbers stay numbers in JSON; null is a value that is not known, never 0. */
  readonly rows: readonly (readonly (string | number | null)[])[]
}

interface TableDownloadProps {
  /** Without an ending. */
  readonly file: string
  /** Named aloud. */
  readonly what: string
  /** Unset: the nearest table of the page, as it reads. */
  readonly table?: () => TableData
}

/** Any table as a file. */
export function TableDownload({ file, what, table }: TableDownloadProps) {
  function save(kind: 'csv' | 'json', button: HTMLElement) {
    const data = table ? table() : tableNear(button)
    if (!data) return
    const { head, rows } = data
    if (kind === 'csv') {
      const text = rows.map((row) => row.map((value) => (value === null ? '' : String(value))))
      saveFile(`${file}.csv`, 'text/csv', csvOf(head, text))
    } else {
      const objects = rows.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index] ?? null])))
      saveFile(`${file}.json`, 'application/json', `${JSON.stringify(objects, null, 1)}\n`)
    }
  }
  return (
    <span className="downloads no-print">
      {(['csv', 'json'] as const).map((kind) => (
        <button
          key={kind}
          type="button"
          className="button-link"
          aria-label={`${what}: download as ${kind.toUpperCase()}`}
          title={`Download as ${kind.toUpperCase()}`}
          onClick={({ currentTarget }) => save(kind, currentTarget)}
        >
          {kind.toUpperCase()}
        </button>
      ))}
    </span>
  )
}

/** The table in the nearest part of the page that has one, as it reads. */
function tableNear(button: HTMLElement): TableData | null {
  for (let part = button.parentElement; part; part = part.parentElement) {
    const table = part.querySelector('table')
    if (table) return tableOf(table)
  }
  return null
}

/** Head and cells of a table of the page as text. */
export function tableOf(table: HTMLTableElement): TableData {
  const [head, ...rest] = [...table.rows].map((row) => [...row.cells].map((cell) => textOf(cell)))
  return { head: head ?? [], rows: rest }
}

function textOf(cell: Element): string {
  return (cell.textContent ?? '').replace(/\s+/g, ' ').trim()
}
