import { callsScene } from '../test/large.ts'
import { compareOf } from '../test/parts.ts'
import { scenes } from '../test/scenes.ts'
import { type Answering, but, never, of, problem, refused } from './answering.ts'
import {
  calmScene,
  doubtfulScene,
  FORGOTTEN,
  forgottenScene,
  IDLE,
  idleScene,
  meshlessScene,
  partialScene,
  staleScene,
  unexplainedScene,
} from './scenes.ts'

/** One state of one screen. */
export interface GalleryState {
  readonly name: string
  readonly screen: string
  /** What is to be seen, in a sentence. */
  readonly what: string
  readonly at: string
  readonly answers: Answering
  /** What is answered once the first answers are drawn and time has passed; unset: nothing is asked again. */
  readonly later?: Answering
  /** Words that stand in its content, and in no other state of the screen. */
  readonly says: string
}

type Row = readonly [state: string, at: string, answers: Answering, says: string, what: string, later?: Answering]

const { incident, empty, many } = scenes
const X = '/d/east/shop/storefront'
const now = of(incident)
const calm = of(calmScene)
const noSuchWorkload = problem({
  type: '/problems/no-such-workload',
  title: 'No such workload',
  status: 404,
  detail: 'No series for west/stock/ledgre between 03:01 and 03:31 UTC.',
  near: ['west/stock/ledger', 'west/stock/rules'],
})
const longGone = problem({
  type: '/problems/no-such-workload',
  title: 'No such workload',
  status: 404,
  detail: 'No series for east/shop/storefront between 10:00 and 10:30 UTC on 1 Aug.',
  near: [],
})
const failure = problem({
  type: '/problems/internal',
  title: 'Goldseam failed',
  status: 500,
  detail: 'this answer could not be computed',
  requestId: 'f3a1',
})
const refusedQuery =
  (which: (cluster: string) => boolean): Answering =>
  (path, params) =>
    path.includes('/query') && which(params.get('c') ?? '')
      ? {
          status: 503,
          body: { status: 'error', errorType: 'unavailable', error: `cluster ${params.get('c')}: timeout after 5 s` },
        }
      : now(path, params)
const sideNever: Answering = (path, params) =>
  path.endsWith('/compare') || (path.endsWith('/compare/side') && params.get('side') === 'b')
    ? 'never'
    : now(path, params)
const emptyQuery =
  (which: (cluster: string) => boolean): Answering =>
  (path, params) =>
    path.includes('/query') && which(params.get('c') ?? '')
      ? { status: 200, body: { status: 'success', data: { resultType: 'matrix', result: [] } } }
      : now(path, params)
const compared = (change: (answer: ReturnType<typeof compareOf>) => object): Answering =>
  but(now, /\/compare$/, (_, params) => {
    const answer = compareOf(incident, params)
    return { status: 200, body: { ...answer, ...change(answer) } }
  })
const oneSided = compared(({ b, all, rows }) => ({
  b: { ...b, missing: ['west'] },
  all: { ...all, b: null, verdict: null, ratio: null, differences: NOT_JUDGED },
  rows: rows.map((row) => ({ ...row, b: null, verdict: null, ratio: null, differences: NOT_JUDGED })),
}))
const NOT_JUDGED = { requestsPerSecond: null, successRatio: null, p50: null, p99: null }
const nothingShared = compared(({ rows, onlyA }) => ({
  rows: [],
  onlyA: [...rows.map(({ a }) => a?.id ?? ''), ...onlyA],
  onlyB: ['west/stock/catalog', 'west/stock/ledger'],
}))
const PROMQL = `e1=${encodeURIComponent('histogram_quantile(0.99, sum by (le, deployment) (rate(response_latency_ms_bucket[1m])))')}`
const SUM = `e1=${encodeURIComponent('sum by (namespace, deployment) (rate(response_total[1m]))')}`
const NATIVE = `e1=${encodeURIComponent('rate(native_seconds[1m])')}`
const KEPT = 'from=2026-11-21T03:01Z&to=2026-11-21T03:31Z&saved=3F7K2M'
const TOGETHER = `e1=${encodeURIComponent('histogram_quantile(0.99, sum by (le) (rate(response_latency_ms_bucket[1m])))')}`

const SCREENS: Readonly<Record<string, readonly Row[]>> = {
  Fleet: [
    ['incident', '/fleet', now, 'in-flight 31', 'One culprit first, whom it hurts under it'],
    ['grid', '/fleet?view=grid', now, 'east', 'Every deployment in its fixed place'],
    ['quiet', '/fleet', calm, 'All quiet', 'Nothing is wrong'],
    ['many', '/fleet', of(many), 'ledger', 'More rows than are drawn at once'],
    ['loading', '/fleet', never, 'Reading', 'Nothing has answered yet'],
    ['unconfigured', '/fleet', of(empty), 'No clusters yet', 'No cluster is configured'],
    ['unmeshed', '/fleet', of(meshlessScene), 'No service metrics found', 'Clusters answer and have no mesh'],
    ['filtered', '/fleet?q=checkuot&st=crit', now, '0 of 29 match', 'A filter that nothing matches'],
    ['partial', '/fleet', of(partialScene), 'west has not answered', 'One cluster is silent'],
    ['stale', '/fleet', of(staleScene), 'Its last good values', 'Nobody has answered for a while'],
    ['misfit', '/fleet?sort=p42&c=wst&future=1', now, 'Showing -blame', 'A link with values that do not fit'],
    ['frozen', '/fleet?from=2026-11-21T03:01Z&to=2026-11-21T03:31Z', now, 'Frozen view', 'A moment of the past'],
    ['forgotten', `/fleet?${FORGOTTEN}`, of(forgottenScene), 'no longer', 'A moment past retention'],
    ['unreachable', '/fleet', now, 'Goldseam server unreachable', 'Our server stops answering', refused],
    ['down', '/fleet', refused, 'Trying again by itself', 'Our server never answered'],
    ['failed', '/fleet', failure, 'Request f3a1', 'Our server fails'],
  ],
  Workload: [
    ['incident', X, now, 'called by', 'A victim and the chain to the culprit'],
    ['quiet', X, calm, 'All quiet', 'Nothing is wrong'],
    ['loading', X, never, 'Saturation', 'Its name at once, four empty frames'],
    ['idle', `/d/${IDLE}`, of(idleScene), 'no traffic', 'Nobody calls it any more'],
    [
      'notfound',
      '/d/west/stock/ledgre',
      but(now, /\/workloads\//, noSuchWorkload),
      'No such workload',
      'Nobody of this name',
    ],
    ['partial', X, of(partialScene), 'as its caller sees it', 'Its callees cannot be seen from the inside'],
    ['stale', X, of(staleScene), 'Its last good values', 'Its numbers are old'],
    ['doubtful', X, of(doubtfulScene), 'dashed: partial', 'Few requests, then a part that does not answer'],
    [
      'forgotten',
      `${X}?${FORGOTTEN}`,
      but(of(forgottenScene), /\/workloads\//, longGone),
      'Frozen view',
      'A moment past retention',
    ],
    [
      'saved',
      `${X}?from=2026-11-21T03:01:10Z&to=2026-11-21T03:31:10Z&saved=3F7K2M`,
      now,
      'Saved evidence',
      'Evidence that was saved',
    ],
    ['unreachable', X, now, 'Goldseam server unreachable', 'Our server stops answering', refused],
    ['down', X, refused, 'Trying again by itself', 'Our server never answered'],
    ['pods', `${X}?tab=pods`, now, 'rank changes a minute', 'One dot a pod'],
    ['heatmap', `${X}?tab=latency`, now, 'Latency', 'Latency over time'],
    ['intervals', `${X}?tab=log`, now, '+++', 'The interval log, with a stall'],
    ['events', `${X}?tab=events`, now, 'began to report', 'What happened'],
    ['queries', `${X}?tab=queries`, now, 'response_total', 'What was asked of whom'],
  ],
  Map: [
    ['incident', '/map', now, '1 suspect', 'The paths of the problem'],
    ['selected', '/map?sel=east/shop/storefront~west/stock/catalog', now, 'joined by host name', 'Both ends of a seam'],
    ['table', '/map?view=table', now, '1 suspect', 'The same as a table'],
    ['everything', '/map?show=all', of(callsScene(60, 120)), 'affected', 'Everything'],
    ['topdown', '/map?dir=tb', now, 'suspect', 'Calls lead down'],
    ['quiet', '/map', calm, 'No problem to show', 'Nothing is wrong'],
    ['loading', '/map', never, 'Reading', 'Nothing has answered yet'],
    ['empty', '/map', of({ ...meshlessScene, calls: [] }), 'No calls seen', 'No calls at all'],
    ['partial', '/map', of(partialScene), 'west', 'One cluster is silent'],
    ['unreachable', '/map', now, 'Goldseam server unreachable', 'Our server stops answering', refused],
    ['down', '/map', refused, 'Trying again by itself', 'Our server never answered'],
  ],
  Triage: [
    ['incident', '/triage', now, 'Who moved first', 'The argument'],
    ['ruledout', '/triage?not=west/stock/ledger', now, 'ruled out in this view', 'The suspect is ruled out'],
    ['quiet', '/triage', calm, 'nobody is suspected', 'Nothing is wrong'],
    [
      'unexplained',
      '/triage',
      of(unexplainedScene),
      'nothing that is measured',
      'Something is off, and nothing explains it',
    ],
    ['loading', '/triage', never, 'Reading', 'Nothing has answered yet'],
    ['partial', '/triage', of(partialScene), 'Could change when west answers', 'One cluster is silent'],
    ['stale', '/triage', of(staleScene), 'Its last good values', 'Nobody has answered for a while'],
    ['unreachable', '/triage', now, 'Goldseam server unreachable', 'Our server stops answering', refused],
    ['down', '/triage', refused, 'Trying again by itself', 'Our server never answered'],
  ],
  Compare: [
    ['clusters', '/compare?a=east&b=west', now, 'Side by side', 'Two clusters'],
    ['before', '/compare?a=east/shop/storefront', now, 'Side by side', 'A workload now and before'],
    ['loading', '/compare?a=east&b=west', never, 'Reading both sides', 'Nothing has answered yet'],
    ['waiting', '/compare?a=east&b=west', sideNever, 'still being read', 'One side is slow'],
    [
      'sidefails',
      '/compare?a=east&b=nowhere&goals=p99:500ms',
      now,
      'is not configured here',
      'One side cannot be had, the other one is held to goals',
    ],
    ['onesided', '/compare?a=east&b=west', oneSided, 'not there', 'One side is missing'],
    ['nothing', '/compare?a=east&b=west', nothingShared, 'Nothing is on both sides', 'Nothing in common'],
    [
      'unreachable',
      '/compare?a=east&b=west',
      now,
      'Goldseam server unreachable',
      'Our server stops answering',
      refused,
    ],
    ['down', '/compare?a=east&b=west', refused, 'Trying again by itself', 'Our server never answered'],
  ],
  Explore: [
    ['start', '/explore', now, 'Type an expression', 'Nothing asked yet'],
    ['lines', `/explore?${PROMQL}`, now, 'partial response: store-3', 'Lines, and a warning that is not hidden'],
    ['together', `/explore?${TOGETHER}`, now, 'were added up', 'One quantile over all clusters'],
    ['added', `/explore?${SUM}&join=added`, now, 'sums were added up', 'One answer made of those of all clusters'],
    ['notadded', `/explore?e1=topk(3,up)&join=added`, now, 'not joined', 'What cannot be added up says why'],
    ['natives', `/explore?${NATIVE}&view=heat`, now, 'of native histograms', 'Native histograms as they change'],
    ['kept', `/explore?e1=up&e2=not_kept&${KEPT}`, now, 'too large to be kept', 'Saved evidence, less one answer'],
    ['table', `/explore?${PROMQL}&view=table`, now, 'the newest value of each', 'Newest values'],
    ['syntax', '/explore?e1=sum(rate(up', now, 'something is missing here', 'A mistake in the expression'],
    ['asking', `/explore?${PROMQL}`, but(now, /\/query/, never), 'asked 0 s ago', 'The clusters are slow'],
    ['onefails', `/explore?${PROMQL}`, refusedQuery((name) => name === 'west'), 'HTTP 503', 'One cluster fails'],
    ['allfail', `/explore?${PROMQL}`, refusedQuery(() => true), 'HTTP 503', 'All clusters fail'],
    [
      'nothing',
      `/explore?${PROMQL}`,
      emptyQuery((name) => name === 'west'),
      'No series. There',
      'One cluster has none',
    ],
    ['down', '/explore', refused, 'Trying again by itself', 'Our server never answered'],
  ],
  Clusters: [
    ['incident', '/clusters', now, 'api.payments.example', 'How each cluster answers'],
    ['partial', '/clusters', of(partialScene), 'timeout after 5 s', 'One cluster is silent'],
    ['unconfigured', '/clusters', of(empty), 'No clusters are configured yet', 'No cluster is configured'],
    ['loading', '/clusters', never, 'Reading', 'Nothing has answered yet'],
    ['unreachable', '/clusters', now, 'Goldseam server unreachable', 'Our server stops answering', refused],
    ['down', '/clusters', refused, 'Trying again by itself', 'Our server never answered'],
  ],
  Links: [
    ['expired', '/s/GONE22', now, 'has expired', 'A link that was not kept'],
    ['unknown', '/s/NOSUCH', now, 'There is no link', 'A code that nobody made'],
    ['nopage', '/fleett', now, 'There is no such page', 'An address of no screen'],
  ],
}

export const states: readonly GalleryState[] = Object.entries(SCREENS).flatMap(([screen, rows]) =>
  rows.map(([state, at, answers, says, what, later]) => ({
    name: `${screen.toLowerCase()}-${state}`,
    screen,
    what,
    at,
    answers,
    says,
    ...(later === undefined ? {} : { later }),
  })),
)
