import type { Cluster, Gap } from '@goldseam/server/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { GapsNote } from '../../answers/gaps-note.tsx'
import { Loaded } from '../../answers/loaded.tsx'
import { type TableData, TableDownload } from '../../ui/table-download.tsx'

interface PartPanelProps<Data> {
  readonly title: string
  readonly about: string
  readonly query: UseQueryResult<Data>
  /** Its table as a file, without an ending; `table` where the rows are not a table of the page. */
  readonly download?: { readonly file: string; readonly table?: (data: Data) => TableData }
  readonly children: (data: Data) => ReactNode
}

/** A part of the page with its own loading, its own trouble and its own gaps. */
export function PartPanel<Data extends { readonly clusters: readonly Cluster[]; readonly gaps: readonly Gap[] }>({
  title,
  about,
  query,
  download,
  children,
}: PartPanelProps<Data>) {
  const titleId = useId()
  const { data } = query
  return (
    <section className="panel" aria-labelledby={titleId}>
      <div className="panel-head">
        <h2 id={titleId}>{title}</h2>
        <span className="muted">{about}</span>
        {download && data && (
          <TableDownload
            file={download.file}
            what={title}
            {...(download.table ? { table: () => download.table?.(data) ?? NOTHING } : {})}
          />
        )}
      </div>
      <div className="part-body">
        <Loaded query={query} waiting={<Waiting />}>
          {(data) => (
            <>
              <GapsNote clusters={[]} gaps={data.gaps.filter(({ what }) => what === 'series')} />
              {children(data)}
            </>
          )}
        </Loaded>
      </div>
    </section>
  )
}

const NOTHING: TableData = { head: [], rows: [] }

function Waiting() {
  return (
    <p aria-busy="true">
      <span className="skeleton" style={{ width: 260 }} />
      <span className="sr-only">Asking the cluster</span>
    </p>
  )
}
