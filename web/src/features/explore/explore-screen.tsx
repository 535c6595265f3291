import './explore.css'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../answers/loaded.tsx'
import { clustersQuery } from '../../api/queries.ts'
import { MisfitNote } from '../../scope/misfit-note.tsx'
import { useAsking } from '../../scope/use-asking.ts'
import { exploreFields } from './explore-search.ts'
import { Workbench } from './workbench.tsx'

/** The escape hatch: the same PromQL on every cluster at once. */
export function ExploreScreen() {
  const query = useQuery(clustersQuery(useAsking()))
  return (
    <div className="explore">
      <h1 className="screen-title">Explore</h1>
      <MisfitNote fields={exploreFields} />
      <Loaded query={query} waiting={<p className="muted">Reading the clusters...</p>}>
        {({ clusters }) =>
          clusters.length === 0 ? (
            <p>No clusters are configured, so there is nobody to ask.</p>
          ) : (
            <Workbench clusters={clusters.map(({ name }) => name)} />
          )
        }
      </Loaded>
    </div>
  )
}
