/** Heads of the columns that name a series: its cluster, then its labels. */
export function LabelHeads({ columns }: { readonly columns: readonly string[] }) {
  return (
    <>
      <th scope="col">cluster</th>
      {columns.map((name) => (
        <th key={name} scope="col">
          {name === '__name__' ? 'metric' : name}
        </th>
      ))}
    </>
  )
}

interface SaveLinksProps {
  readonly csv: () => void
  readonly json: () => void
}

/** What came back, saved as a file of either kind. */
export function SaveLinks({ csv, json }: SaveLinksProps) {
  return (
    <span className="explore-downloads no-print">
      <button type="button" className="button-link" onClick={csv}>
        CSV
      </button>
      <button type="button" className="button-link" onClick={json}>
        JSON
      </button>
    </span>
  )
}
