import './explore.css'
import type { Clusters } from '@goldseam/server/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { GapsNote } from '../../answers/gaps-note.tsx'
import { Loaded } from '../../answers/loaded.tsx'
import { isPassing } from '../../api/polling.ts'
import { clustersQuery } from '../../api/queries.ts'
import { MisfitNote } from '../../scope/misfit-note.tsx'
import { useAsking } from '../../scope/use-asking.ts'
import { exploreFields } from './explore-search.ts'
import { Workbench } from './workbench.tsx'

/** What is typed stays, whatever comes and goes: once there was somebody to ask, the workbench stands. */
function Answer({ answer: { clusters, gaps } }: { readonly answer: Clusters }) {
  const [begun, setBegun] = useState(clusters.length > 0)
  if (!begun && clusters.length > 0) setBegun(true)
  if (begun)
    return (
      <>
        {clusters.length === 0 && <GapsNote clusters={[]} gaps={gaps} />}
        <Workbench clusters={clusters.map(({ name }) => name)} />
      </>
    )
  // None found yet is not none configured: then a gap says who could not be asked.
  if (gaps.length > 0) return <GapsNote clusters={[]} gaps={gaps} />
  return <p>No clusters are configured, so there is nobody to ask.</p>
}

/** Another range is another question; where that fails, who can be asked is still what was answered before. */
function useClusters() {
  const query = useQuery(clustersQuery(useAsking()))
  const { data, dataUpdatedAt, error } = query
  const [last, setLast] = useState({ data, dataUpdatedAt })
  if (data !== undefined && data !== last.data) setLast({ data, dataUpdatedAt })
  return data === undefined && error !== null && isPassing(error) ? { ...query, ...last } : query
}

/** The escape hatch: the same PromQL on every cluster at once. */
export function ExploreScreen() {
  const query = useClusters()
  return (
    <div className="explore">
      <h1 className="screen-title">Explore</h1>
      <MisfitNote fields={exploreFields} />
      <Loaded query={query} waiting={<p className="muted">Reading the clusters...</p>}>
        {(answer) => <Answer answer={answer} />}
      </Loaded>
    </div>
  )
}
