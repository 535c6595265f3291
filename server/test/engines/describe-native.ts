import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linkerd } from '../../src/dialects/linkerd.ts'
import { withNative } from '../../src/dialects/with-native.ts'
import { layoutProbe, layoutsDiffer, withSeriesCounts } from '../../src/dialects/with-series-counts.ts'
import { PERCENTILES } from '../../src/domain/golden.ts'
import { workloadId } from '../../src/domain/identity.ts'
import type { Observation } from '../../src/domain/observation.ts'
import { emptyTraffic, flowAt } from '../../src/domain/traffic.ts'
import type { ClusterPrometheus } from '../../src/prometheus/create-prometheus.ts'
import { compare } from './compare.ts'
import type { Engines } from './find-engines.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { drawNativeWorld, KEPT, type Kept, SHARED_BOUNDS, WORKLOADS_EACH } from './native-world.ts'
import { clientOf, inboundOf, merged, observe } from './ours.ts'
import { remoteWrite } from './remote-write.ts'
import { askDirectly, type Theirs, WORKLOAD } from './theirs.ts'
import { BOUNDS } from './world.ts'

const SEED = 4_711
const STEPS = 14
const STEP_SECONDS = 10
const WINDOW_SECONDS = 60
const CLUSTERS = ['east', 'west', 'south']
/** Kept by Prometheus 2 too. */
const CLASSIC: readonly Kept[] = ['unlike']
const INBOUND = 'direction="inbound",namespace="native"'
/** Prometheus 2 keeps what the page says, `1` for `1.0`. */
const asWritten = (bound: number) => (bound === Number.POSITIVE_INFINITY ? '+Inf' : `${bound}`)
const counted = withSeriesCounts(linkerd)
const dialect = withSeriesCounts(withNative(linkerd, new Set(['response_latency_ms'])))

/** What PromQL makes of the same series; for `changing`, of the classic buckets that were written besides. */
async function theirsOf(url: string, kept: Kept, atSeconds: number, where = ''): Promise<Theirs> {
  const matchers = `{${INBOUND},deployment=~"${kept}-.*"${where}}[${WINDOW_SECONDS}s]`
  const by = WORKLOAD.join(',')
  const rate = (metric: string) => `sum by (${by}) (rate(${metric}${matchers}))`
  const shared = `le=~"${[...SHARED_BOUNDS.map((bound) => `${bound}([.]0)?`), '[+]Inf'].join('|')}"`
  const latency =
    kept === 'unlike'
      ? `sum by (${by},le) (rate(response_latency_ms_bucket${matchers.replace('}[', `,${shared}}[`)}))`
      : kept === 'changing'
        ? `sum by (${by},le) (rate(reference_latency_ms_bucket${matchers}))`
        : rate('response_latency_ms')
  // Rates of classic sums are extrapolated one by one, a native histogram's as a whole: after a restart they differ.
  const classicMean = `${rate('response_latency_ms_sum')} / ${rate('response_latency_ms_count')}`
  const nativeMean = `histogram_avg(${rate('response_latency_ms')})`
  const queries: [string, string][] = [
    ['rps', rate('response_total')],
    ['success', `${rate('response_total')} / ${rate('response_total')}`],
    ...PERCENTILES.map(({ name, q }): [string, string] => [name, `histogram_quantile(${q}, ${latency}) / 1000`]),
    ...(kept === 'changing'
      ? []
      : [['mean', `${kept === 'both' || kept === 'unlike' ? classicMean : nativeMean} / 1000`] as [string, string]]),
  ]
  const found = new Map<string, Map<string, number>>()
  for (const [name, promql] of queries) {
    for (const { labels, value } of await askDirectly(url, promql, atSeconds)) {
      const key = `${labels.namespace}/deployment/${labels.deployment}`
      found.set(key, (found.get(key) ?? new Map<string, number>()).set(name, value))
    }
  }
  return found
}

export function describeNative(engines: Engines): void {
  describe(`native histograms against real Prometheus and Thanos Query, seed ${SEED}`, () => {
    let fleet: Fleet
    let observations: Map<string, Observation>
    const clients = new Map<string, ClusterPrometheus>()
    const end = Math.floor(Date.now() / 1_000 / STEP_SECONDS) * STEP_SECONDS - STEP_SECONDS
    const atSeconds = end + 0.7

    beforeAll(async () => {
      const wanted = CLUSTERS.map((cluster) => ({
        cluster,
        replica: 'a',
        binary: engines.prometheus3,
        scrapes: '  []',
      }))
      fleet = await startFleet(engines, wanted)
      const timeline = { startSeconds: end - (STEPS - 1) * STEP_SECONDS, stepSeconds: STEP_SECONDS, steps: STEPS }
      const le = (bound: number) => (bound === Number.POSITIVE_INFINITY ? '+Inf' : bound.toFixed(1))
      observations = new Map(
        await Promise.all(
          wanted.map(async ({ cluster, binary }, index): Promise<[string, Observation]> => {
            const url = fleet.prometheus.get(`${cluster}/a`) ?? ''
            const old = binary === engines.prometheus2
            const written = old ? { le: asWritten, kept: CLASSIC } : { le, kept: KEPT }
            await remoteWrite(url, drawNativeWorld({ seed: SEED + index, index, timeline, ...written }))
            const client = clientOf(cluster, [url])
            clients.set(cluster, client)
            return [cluster, await observe(cluster, client, atSeconds, WINDOW_SECONDS, old ? counted : dialect)]
          }),
        ),
      )
    })
    afterAll(async () => {
      for (const client of clients.values()) await client.close()
      await fleet?.close()
    })

    const oursOf = (clusters: readonly string[], kept: Kept) => {
      const flows = clusters.flatMap((cluster) => {
        const observation = observations.get(cluster)
        return observation === undefined ? [] : [inboundOf(observation)]
      })
      const all = merged(flows, WINDOW_SECONDS)
      return new Map([...all].filter(([key]) => key.startsWith(`native/deployment/${kept}-`)))
    }
    const isEqual = (clusters: readonly string[], kept: Kept, theirs: Theirs) => {
      const { differences, compared, unknown } = compare(oursOf(clusters, kept), theirs)
      // Of reference buckets there is no sum: the mean is held elsewhere.
      expect(differences.filter((one) => kept !== 'changing' || !one.includes(' mean: '))).toEqual([])
      expect(compared).toBe(WORKLOADS_EACH * 7)
      expect(unknown).toBeLessThan(compared / 3)
    }

    describe.each(KEPT)('%s', (kept) => {
      test.each(CLUSTERS)('%s alone, as its own Prometheus computes it', async (cluster) => {
        isEqual([cluster], kept, await theirsOf(fleet.prometheus.get(`${cluster}/a`) ?? '', kept, atSeconds))
      })

      test('merged over all clusters, as Thanos Query computes it', async () => {
        isEqual([...observations.keys()], kept, await theirsOf(fleet.thanosUrl, kept, atSeconds))
      })
    })

    test('pods with buckets of their own: seen, counted, and what is lost is told', async () => {
      for (const [cluster, client] of clients) {
        const { data } = await client.query(layoutProbe(linkerd) ?? '', atSeconds, AbortSignal.timeout(30_000))
        expect(layoutsDiffer(data), cluster).toBe(true)
        const total = observations.get(cluster)?.inbound.get(`${cluster}/native/unlike-0`)?.total ?? emptyTraffic(1)
        const { histogram, lostBounds } = flowAt(total, 0)
        expect(histogram).toMatchObject({ upperBounds: { length: SHARED_BOUNDS.length + 1 } })
        expect(lostBounds).toEqual(
          BOUNDS.filter((bound) => !SHARED_BOUNDS.includes(bound)).map((bound) => bound / 1_000),
        )
      }
    })

    test('asked for by name, as whoever is in trouble is, they tell the same', async () => {
      for (const [cluster, client] of clients) {
        const { inbound = new Map() } = observations.get(cluster) ?? {}
        const all = [...inbound.values()].filter(({ workload }) => workload.namespace === 'native')
        const refs = all.map(({ workload }) => workload)
        const byName = { ...dialect, questions: () => dialect.workloadQuestions?.(WINDOW_SECONDS, refs) ?? [] }
        const named = await observe(cluster, client, atSeconds, WINDOW_SECONDS, byName)
        for (const { workload, total } of all) {
          const own = named.inbound.get(workloadId(workload))?.total ?? emptyTraffic(1)
          expect(flowAt(own, 0), workload.name).toEqual(flowAt(total, 0))
        }
        expect(all).toHaveLength(KEPT.length * WORKLOADS_EACH)
      }
    })

    test('the worlds hold what they are drawn for: unequal schemas, restarts, both kinds of latency', async () => {
      const count = async (promql: string) => {
        // Thanos makes counters monotonic while it removes duplicates: it has no restarts to count.
        const each = [...fleet.prometheus.values()].map((url) => askDirectly(url, promql, atSeconds))
        return (await Promise.all(each)).reduce((sum, [found]) => sum + (found?.value ?? 0), 0)
      }
      expect(await count(`count(resets(response_total{${INBOUND}}[60s]) > 0)`)).toBeGreaterThan(3)
      expect(await count(`count(response_latency_ms{${INBOUND},deployment=~"both-.*"})`)).toBeGreaterThan(5)
      expect(await count(`count(response_latency_ms_bucket{${INBOUND},deployment=~"both-.*"})`)).toBeGreaterThan(100)
      const schemas = [...observations.values()].flatMap((one) =>
        [...one.inbound.values()].map(({ total }) => total.native?.[0]?.schema ?? null),
      )
      expect(new Set(schemas).size).toBeGreaterThan(3)
    })
  })
}
