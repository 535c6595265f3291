import type { ClusterDetail, ClusterEndpoint, ClusterTest } from '@goldseam/server/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { testCluster } from '../../api/cluster-test.ts'
import { age } from '../../format/age.ts'
import { clock } from '../../format/clock.ts'
import { printed } from '../../format/quantity.ts'
import { success } from '../../format/success.ts'
import { useScope } from '../../scope/use-scope.ts'
import { Glyph } from '../../ui/glyph.tsx'
import { Metric } from '../../ui/metric.tsx'
import { certificateWords } from './certificate-words.ts'
import { errorBudgetWords } from './error-budget.ts'

/** The servers behind the name: how each answers, whether it is asked at all, and a question to it now. */
export function EndpointsPanel({ detail }: { readonly detail: ClusterDetail }) {
  const { cluster } = detail
  const client = useQueryClient()
  const test = useMutation({
    mutationFn: () => testCluster(cluster.name),
    // What it changed shows: the record of requests, and a breaker that closed.
    onSettled: () => client.invalidateQueries({ queryKey: ['cluster', cluster.name] }),
  })
  return (
    <section className="panel" aria-labelledby="cluster-endpoints">
      <div className="panel-head">
        <h2 id="cluster-endpoints">{cluster.endpoints.length === 1 ? 'Endpoint' : 'Endpoints'}</h2>
        {cluster.endpoints.length > 1 && (
          <span className="muted">replicas of the same data: asked in order of health, never added up</span>
        )}
        <button
          type="button"
          className="button no-print clusters-test"
          disabled={test.isPending}
          title="One small question to each endpoint, past the breaker"
          onClick={() => test.mutate()}
        >
          {test.isPending ? 'Testing...' : 'Test now'}
        </button>
      </div>
      <p className="sr-only" role="status">
        {test.data ? `Test of ${cluster.name}: ${test.data.endpoints.map(({ text }) => text).join(' ')}` : ''}
      </p>
      {test.error && (
        <p className="panel-note" role="alert">
          Not tested: {test.error.message}
        </p>
      )}
      <ul className="clusters-endpoints">
        {cluster.endpoints.map((endpoint) => (
          <li key={endpoint.url}>
            <Endpoint endpoint={endpoint} detail={detail} tested={test.data} />
          </li>
        ))}
      </ul>
      <WayThere discoveredAt={cluster.discoveredAt} alsoAt={cluster.alsoAt} />
    </section>
  )
}

interface EndpointProps {
  readonly endpoint: ClusterEndpoint
  readonly detail: ClusterDetail
  readonly tested: ClusterTest | undefined
}

function Endpoint({ endpoint, detail: { lastHour, retention, snapshot }, tested }: EndpointProps) {
  const { url, state, reason, version, lastAnswerAt, querySecondsP95 } = endpoint
  const { tz } = useScope()
  const hour = lastHour.find(({ endpoint: of }) => of === url)
  const kept = retention.find(({ endpoint: of }) => of === url)?.text ?? null
  const result = tested?.endpoints.find((one) => one.url === url)
  const certificate = certificateWords(endpoint.certificateEndsAt, Date.parse(snapshot.at))
  return (
    <>
      <p className="clusters-state">
        <Glyph mark={state === 'ok' ? 'ok' : state === 'failing' ? 'unknown' : 'none'} label={STATE_WORDS[state]} />
        <code>{url}</code> <span className="muted">{STATE_WORDS[state]}</span>
      </p>
      {reason && <p>{reason}</p>}
      <p>
        <Breaker breaker={endpoint.breaker} />
      </p>
      <dl className="clusters-facts clusters-facts-small">
        <Fact name="version">{version ?? 'it does not tell'}</Fact>
        <Fact name="keeps samples for">{kept ?? 'it does not tell'}</Fact>
        <Fact name="p95 of queries">
          <Metric kind="latency" value={querySecondsP95} label="p95 of queries" />
        </Fact>
        <Fact name="last answer">
          {lastAnswerAt === null ? (
            'never'
          ) : (
            <span title={lastAnswerAt}>
              {clock(lastAnswerAt, tz, true)}{' '}
              <span className="muted">{age((Date.parse(snapshot.at) - Date.parse(lastAnswerAt)) / 1000)}</span>
            </span>
          )}
        </Fact>
        <Fact name="last hour">{hour ? <Answered {...hour} /> : '--'}</Fact>
        {certificate && (
          <Fact name="certificate">
            {certificate.advice && <Glyph mark="warn" size={10} />} {certificate.text}
            {certificate.advice && `: ${certificate.advice}`}
          </Fact>
        )}
      </dl>
      {result && (
        <p className="clusters-tested" data-answered={result.answered}>
          <Glyph mark={result.answered ? 'ok' : 'crit'} label={result.answered ? 'it answers' : 'it does not answer'} />{' '}
          <span className="muted">{clock(tested?.at ?? '', tz, true)}</span> {result.text}
        </p>
      )}
    </>
  )
}

const STATE_WORDS = { ok: 'answers', failing: 'fails', untried: 'not asked yet' } as const

function Breaker({ breaker: { state, nextTryAt } }: Pick<ClusterEndpoint, 'breaker'>) {
  const { tz } = useScope()
  if (state === 'closed')
    return <span className="muted">Breaker closed: it is asked whenever there is a question.</span>
  const when = nextTryAt === null ? '' : ` Next try at ${clock(nextTryAt, tz, true)}.`
  return state === 'open' ? (
    <>Breaker open: it failed several times in a row and is left alone.{when}</>
  ) : (
    <>Breaker half open: one question is trying it now.</>
  )
}

function Answered({ answered, failed }: { readonly answered: number; readonly failed: number }) {
  const total = answered + failed
  if (total === 0) return 'not asked'
  return (
    <>
      {answered} of {total} answered <span className="muted">{printed(success(answered / total, failed))}</span>
      <div className="muted">{errorBudgetWords({ answered, failed })}</div>
    </>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** How the cluster is known, where that is not the config; and who else holds one of its name. */
function WayThere({ discoveredAt, alsoAt }: Pick<ClusterDetail['cluster'], 'discoveredAt' | 'alsoAt'>) {
  if (discoveredAt === null && alsoAt.length === 0) return null
  return (
    <div className="panel-note muted">
      {discoveredAt !== null && <p>Found through {discoveredAt}.</p>}
      {alsoAt.map((url) => (
        <p key={url}>{url} holds a cluster of this name too, which is not read.</p>
      ))}
    </div>
  )
}
