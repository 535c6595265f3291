import type { Dialect } from '../dialects/dialect.ts'
import { type Matcher, selector } from '../dialects/promql.ts'
import { allLabels } from '../domain/apart.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import type { Oddity } from './counted-twice.ts'

const OF_PODS: Matcher = { label: 'pod', op: '!=', value: '' }

/**
 * How many pods each job scrapes that another job scrapes as well, by `job`: their series differ in that label alone, so
 * that all rates of them are twice what they are. Usual with Istio, whose sidecars tell the same metrics on two ports.
 */
function probe(metric: string): string {
  const each = `count by (namespace,pod,job) (${selector(metric, [OF_PODS])})`
  return `count by (job) (${each} and on (namespace,pod) (count by (namespace,pod) (${each}) > 1))`
}

/**
 * Where several jobs scrape the same pods' requests. Without a label `pod` nobody can tell. Rejects where one of the
 * questions was not answered.
 */
export async function scrapedTwice(
  api: PrometheusApi,
  dialects: readonly Dialect[],
  atSeconds: number,
  signal: AbortSignal,
): Promise<readonly Oddity[]> {
  const each = dialects.map(async ({ name, countedInPods }): Promise<Oddity[]> => {
    if (countedInPods === undefined) return []
    const told = await api.query(probe(countedInPods), atSeconds, signal, 'pods of several jobs')
    const samples = [...told.data]
    const jobs = samples.map((sample) => allLabels(sample).job ?? '').sort()
    if (jobs.length < 2) return []
    const pods = Math.max(...samples.map(({ value }) => value))
    const detail = `${pods === 1 ? 'a pod is' : `${pods} pods are`} scraped by several jobs (${jobs.join(', ')}), each of which counts their requests (${name}); let only one of them keep ${countedInPods}`
    return [{ what: 'pods as one', why: 'counted more than once', detail }]
  })
  return (await Promise.all(each)).flat()
}
