import './clusters.css'
import type { Clusters } from '@goldseam/server/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { GapsNote } from '../../answers/gaps-note.tsx'
import { Loaded } from '../../answers/loaded.tsx'
import { clustersQuery } from '../../api/queries.ts'
import { MisfitNote } from '../../scope/misfit-note.tsx'
import { keepScope } from '../../scope/scope-search.ts'
import type { SearchText } from '../../scope/search-codec.ts'
import { useAsking } from '../../scope/use-asking.ts'
import { TableDownload } from '../../ui/table-download.tsx'
import { tableOfClusters } from './clusters-data.ts'
import { clustersFields } from './clusters-search.ts'
import { MeshList } from './mesh-list.tsx'
import { StatusTable } from './status-table.tsx'
import { UnresolvedList } from './unresolved-list.tsx'

const SAMPLE_CONFIG = `clusters:
  - name: east
    endpoints: [{ url: "http://127.0.0.1:9090" }]`

/** Goldseam's own eyesight: tells "the service is broken" from "we are blind". */
export function ClustersScreen() {
  const query = useQuery(clustersQuery(useAsking()))
  return (
    <>
      <MisfitNote fields={clustersFields} />
      <h1 className="screen-title">Clusters</h1>
      <Loaded query={query} waiting={<p className="muted">Reading the clusters...</p>}>
        {(answer) => <Answer answer={answer} />}
      </Loaded>
    </>
  )
}

function Answer({ answer }: { readonly answer: Clusters }) {
  // None found yet is not none configured: then a gap says who could not be asked.
  if (answer.clusters.length === 0 && answer.gaps.length === 0) {
    return (
      <section>
        <p>No clusters are configured yet. The shortest config:</p>
        <pre className="snippet">{SAMPLE_CONFIG}</pre>
      </section>
    )
  }
  const named = new Set(answer.clusters.map(({ name }) => name))
  return (
    <div className="clusters-stack">
      {/* Who is in the table has what is missing of it there. */}
      <GapsNote clusters={[]} gaps={answer.gaps.filter(({ cluster }) => !named.has(cluster))} />
      <p className="clusters-crumb">
        <TableDownload file="goldseam-clusters" what="Clusters" table={() => tableOfClusters(answer.clusters)} />
        <Link to="/failover" search={(previous: SearchText) => keepScope(previous)} className="button no-print">
          If a cluster goes
        </Link>
      </p>
      <StatusTable answer={answer} />
      <MeshList clusters={answer.clusters} />
      <UnresolvedList unresolved={answer.unresolved} />
    </div>
  )
}
