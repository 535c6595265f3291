import './failover.css'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../answers/loaded.tsx'
import { failoverQuery, outlooksQuery } from '../../api/failover.ts'
import { clustersQuery } from '../../api/queries.ts'
import { MisfitNote } from '../../scope/misfit-note.tsx'
import { useShownMoment } from '../../scope/shown-moment.ts'
import { useAsking } from '../../scope/use-asking.ts'
import { useChangeSearch, useFields } from '../../scope/use-scope.ts'
import { FailoverAnswer } from './failover-answer.tsx'
import { FailoverForm } from './failover-form.tsx'
import { FailoverOutlooks } from './failover-outlooks.tsx'
import { failoverFields } from './failover-search.ts'

/** If this cluster goes: what lands where, and has each ever carried as much within its goals? */
export function FailoverScreen() {
  const asking = useAsking()
  const asked = useFields(failoverFields)
  const change = useChangeSearch()
  const clusters = useQuery(clustersQuery(asking))
  const query = useQuery(failoverQuery(asked, asking))
  const outlooks = useQuery({ ...outlooksQuery(asking), enabled: asked.gone === '' })
  const shown = asked.gone === '' ? outlooks.data : query.data
  useShownMoment(shown === undefined ? null : Date.parse(shown.snapshot.at))
  return (
    <div className="failover">
      <h1 className="screen-title">If a cluster goes</h1>
      <MisfitNote fields={failoverFields} />
      <FailoverForm names={(clusters.data?.clusters ?? []).map(({ name }) => name)} asked={asked} change={change} />
      {asked.gone === '' ? (
        <Loaded query={outlooks} waiting={<p className="muted">Laying each cluster on the others...</p>}>
          {(answer) => <FailoverOutlooks answer={answer} choose={(gone) => change({ gone, split: undefined })} />}
        </Loaded>
      ) : (
        <Loaded query={query} waiting={<p className="muted">Reading {asked.days} days of the other clusters...</p>}>
          {(answer) => <FailoverAnswer answer={answer} />}
        </Loaded>
      )}
    </div>
  )
}
