import './clusters.css'
import type { ClusterDetail } from '@goldseam/server/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { GapsNote } from '../../answers/gaps-note.tsx'
import { Loaded } from '../../answers/loaded.tsx'
import { ToolLinks } from '../../answers/tool-links.tsx'
import { clusterQuery } from '../../api/cluster-query.ts'
import { ApiProblem } from '../../api/problem.ts'
import { keepScope } from '../../scope/scope-search.ts'
import type { SearchText } from '../../scope/search-codec.ts'
import { useAsking } from '../../scope/use-asking.ts'
import { useWindow } from '../../scope/use-window.ts'
import { ClusterFacts } from './cluster-facts.tsx'
import { EndpointsPanel } from './endpoints-panel.tsx'
import { KnowledgePanel } from './knowledge-panel.tsx'
import { MeshList } from './mesh-list.tsx'
import { RequestsPanel } from './requests-panel.tsx'
import { SeamsPanel } from './seams-panel.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import { UnresolvedList } from './unresolved-list.tsx'

/** One cluster as Goldseam sees it: whether it answers, how well, what it is joined by, and what it cannot tell. */
export function ClusterScreen() {
  const { cluster } = useParams({ from: '/clusters/$cluster' })
  const query = useQuery(clusterQuery(cluster, useAsking()))
  const window = useWindow()
  return (
    <>
      <p className="no-print clusters-crumb">
        <Link to="/clusters" search={(previous: SearchText) => keepScope(previous)}>
          All clusters
        </Link>
        <ToolLinks of={cluster} {...window} />
      </p>
      <h1 className="screen-title">{cluster}</h1>
      <Loaded
        query={query}
        waiting={<p className="muted">Reading {cluster}...</p>}
        problem={(error) =>
          error instanceof ApiProblem && error.status === 404 ? <NoSuchCluster problem={error} /> : null
        }
      >
        {/* Of another cluster nothing stays: what was tested, filtered and opened was of this one. */}
        {(detail) => <Answer key={detail.cluster.name} detail={detail} />}
      </Loaded>
    </>
  )
}

function Answer({ detail }: { readonly detail: ClusterDetail }) {
  const { cluster, gaps, requests, seams, unresolved, settings } = detail
  return (
    <div className="clusters-stack">
      <GapsNote clusters={cluster.state === 'ok' ? [] : [cluster]} gaps={gaps} />
      <ClusterFacts cluster={cluster} />
      <EndpointsPanel detail={detail} />
      <SeamsPanel cluster={cluster.name} seams={seams} />
      <UnresolvedList unresolved={unresolved} />
      <MeshList clusters={[cluster]} />
      <KnowledgePanel detail={detail} />
      <RequestsPanel cluster={cluster.name} requests={requests} />
      <SettingsPanel settings={settings} />
    </div>
  )
}

/** The cluster of the link is not there: never another in its place. */
function NoSuchCluster({ problem }: { readonly problem: ApiProblem }) {
  const { title, detail, near = [] } = problem.problem
  return (
    <section className="answer-problem" role="alert">
      <h2>{title}</h2>
      <p>{detail}</p>
      <ul>
        {near.map((name) => (
          <li key={name}>
            <Link
              to="/clusters/$cluster"
              params={{ cluster: name }}
              search={(previous: SearchText) => keepScope(previous)}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
