import type { Cluster, Gap } from '@goldseam/server/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { GapsNote } from '../../answers/gaps-note.tsx'
import { Loaded } from '../../answers/loaded.tsx'

interface PartPanelProps<Data> {
  readonly title: string
  readonly about: string
  readonly query: UseQueryResult<Data>
  readonly children: (data: Data) => ReactNode
}

/** A part of the page with its own loading, its own trouble and its own gaps. */
export function PartPanel<Data extends { readonly clusters: readonly Cluster[]; readonly gaps: readonly Gap[] }>({
  title,
  about,
  query,
  children,
}: PartPanelProps<Data>) {
  const titleId = useId()
  return (
    <section className="panel" aria-labelledby={titleId}>
      <div className="panel-head">
        <h2 id={titleId}>{title}</h2>
        <span className="muted">{about}</span>
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

function Waiting() {
  return (
    <p aria-busy="true">
      <span className="skeleton" style={{ width: 260 }} />
      <span className="sr-only">Asking the cluster</span>
    </p>
  )
}
