import { workloadId } from '../../domain/identity.ts'
import { type Destination, emptyObservation, outsideCaller } from '../../domain/observation.ts'
import type { Traffic } from '../../domain/traffic.ts'
import type { Dialect, SeriesColumn } from '../dialect.ts'
import { settle } from '../istio/settle.ts'
import { flowOf, inboundOf, partOf } from '../observe.ts'
import { addBucket, addCount, addTime, inPieces, type Labels } from '../read-series.ts'
import { endOf, textOf } from './labels.ts'

/** Both ends may report a request: servers are believed about what they answer, clients about what they call. */
export const reading: Dialect['reading'] = function* (cluster, steps, answers) {
  const views = {
    source: emptyObservation(cluster, steps),
    destination: emptyObservation(cluster, steps),
    waypoint: emptyObservation(cluster, steps),
  }
  const parts = (labels: Labels): Traffic[] => {
    const view = labels.reporter === 'client' ? views.source : views.destination
    const [source, target] = [endOf(cluster, labels, 'source'), endOf(cluster, labels, 'destination')]
    const found: Traffic[] = []
    if (target !== null) {
      const inbound = inboundOf(view, target, 'full')
      const by = source === null ? outsideCaller(cluster) : workloadId(source)
      found.push(inbound.total, partOf(inbound, 'byCaller', by))
    }
    if (source !== null) found.push(flowOf(view, source, destinationOf(labels, target), null, 'full', 'each').traffic)
    return found
  }
  const each = (name: string, take: (traffic: Traffic, series: SeriesColumn) => void) =>
    inPieces(answers.get(name), (series) => {
      for (const traffic of parts(series.labels)) take(traffic, series)
    })
  yield* each('requests', (traffic, { labels, values }) => addCount(traffic, values, labels.class === 'failed'))
  yield* each('requestTime', (traffic, series) => addTime(traffic, series, 1))
  yield* each('buckets', (traffic, series) => addBucket(traffic, series, 1))
  return { ...settle(cluster, steps, views), dialect: 'hubble' }
}

function destinationOf(labels: Labels, target: ReturnType<typeof endOf>): Destination {
  if (target !== null) return { kind: 'workload', workload: target, service: null }
  const text = textOf(labels, 'destination')
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text) && !/^[\d.]+$/.test(text)
    ? { kind: 'host', host: text.toLowerCase() }
    : { kind: 'unknown', what: text }
}
