import './workload.css'
import type { WorkloadDetail } from '@goldseam/server/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { GapsNote } from '../../answers/gaps-note.tsx'
import { Loaded } from '../../answers/loaded.tsx'
import { ApiProblem } from '../../api/problem.ts'
import { workloadQuery } from '../../api/queries.ts'
import { MisfitNote } from '../../scope/misfit-note.tsx'
import { useAsking } from '../../scope/use-asking.ts'
import { useTurns } from '../../ui/use-turns.ts'
import { Dependencies } from './dependency-tree.tsx'
import { GoalsTable } from './goals-table.tsx'
import { MeshNotes } from './mesh-notes.tsx'
import { useNeighbourKeys } from './neighbour-keys.ts'
import { WorkloadNotFound } from './not-found.tsx'
import { SignalCards } from './signal-cards.tsx'
import { chartFields, tabFields, treeFields } from './tree-search.ts'
import { VerdictLine } from './verdict-line.tsx'
import { WhyPanel } from './why-panel.tsx'
import { WorkloadAlerts } from './workload-alerts.tsx'
import { WorkloadHeader } from './workload-header.tsx'
import { WorkloadTabs } from './workload-tabs.tsx'

const FIELDS = { ...tabFields, ...treeFields, ...chartFields }

/** How bad, since when, is it me or something I call, and the chain: without scrolling. */
export function WorkloadScreen() {
  const { cluster, ns: namespace, name } = useParams({ from: '/d/$cluster/$ns/$name' })
  const query = useQuery(workloadQuery({ cluster, namespace, name }, useAsking()))
  return (
    <div className="workload">
      <MisfitNote fields={FIELDS} />
      <WorkloadHeader cluster={cluster} namespace={namespace} name={name} detail={query.data} />
      <Loaded
        query={query}
        waiting={<EmptyFrames />}
        problem={(error) =>
          error instanceof ApiProblem && error.status === 404 ? (
            <WorkloadNotFound id={`${cluster}/${namespace}/${name}`} problem={error.problem} />
          ) : null
        }
      >
        {(detail) => <Answer detail={detail} />}
      </Loaded>
    </div>
  )
}

function Answer({ detail }: { readonly detail: WorkloadDetail }) {
  const suspect = detail.suspects[0]
  // The cards with their numbers come first, then two charts at a time, then what is below them.
  const turns = useTurns(5)
  useNeighbourKeys(detail)
  return (
    <>
      <VerdictLine detail={detail} />
      <GapsNote clusters={detail.clusters} gaps={detail.gaps} />
      <SignalCards detail={detail} charts={turns * 2} />
      {turns > 2 && (
        <WorkloadTabs detail={detail}>
          <Dependencies detail={detail} />
          {turns > 3 && suspect && <WhyPanel focus={detail.workload.id} suspect={suspect} />}
          {turns > 3 && <WorkloadAlerts alerts={detail.alerts} />}
          {turns > 4 && <GoalsTable goals={detail.goals} />}
          {turns > 4 && <MeshNotes detail={detail} />}
        </WorkloadTabs>
      )}
    </>
  )
}

const FRAMES = ['RPS', 'Success', 'Latency p99', 'Saturation, in flight']

function EmptyFrames() {
  return (
    <div className="cards" aria-busy="true">
      {FRAMES.map((title) => (
        <div key={title} className="card">
          <div className="card-head">
            <span className="card-title">{title}</span>
            <span className="skeleton" style={{ width: 90 }} />
          </div>
          <div className="card-chart" />
        </div>
      ))}
    </div>
  )
}
