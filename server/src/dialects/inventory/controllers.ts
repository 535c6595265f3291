import { workloadId } from '../../domain/identity.ts'
import type { Exposure } from '../../domain/stitch/inventory.ts'
import type { Answers, SeriesColumn } from '../dialect.ts'

/** What else is known of the cluster whose controllers are read. */
interface Place {
  readonly cluster: string
  /** `namespace/pod` -> workload id. */
  readonly workloadOfPod: ReadonlyMap<string, string>
  /** Ids of services, as far as endpoints tell them. */
  readonly services: readonly string[]
}

type Read = (place: Place, series: SeriesColumn) => Exposure[]

/** What ingress controllers count, by the name of the question; each has a way of its own to name host and service. */
export function exposuresOf(place: Place, answers: Answers): Exposure[] {
  return Object.entries(CONTROLLERS).flatMap(([name, read]) =>
    [...(answers.get(name) ?? [])].flatMap((series) => read(place, series)),
  )
}

const nginx: Read = (place, { labels, values }) => {
  const service = labels.exported_service || labels.service
  const namespace = labels.exported_namespace || labels.namespace
  if (!service || !namespace || !labels.host) return []
  const controller = labels.controller_namespace || (labels.exported_namespace ? labels.namespace : '')
  return [
    {
      host: labels.host.toLowerCase(),
      router: null,
      door: doorOf(place, controller ?? '', labels.controller_pod || labels.pod || ''),
      service: `${place.cluster}/${namespace}/${service}`,
      requestsPerSecond: values[0] ?? null,
      source: 'ingress-nginx',
    },
  ]
}

/** `shop-cart-8080@kubernetes`: where the namespace ends is told by the services that there are. */
const traefik: Read = (place, { labels, values }) => {
  const name = (labels.exported_service || labels.service || '').replace(/@.*$/, '')
  const meant = place.services.filter((id) => {
    const [, namespace, service] = id.split('/')
    return new RegExp(`^${namespace}-${service}-[^-]+$`).test(name)
  })
  const [service] = meant
  return [
    {
      host: null,
      router: labels.router?.toLowerCase() ?? null,
      door: doorOf(place, labels.namespace ?? '', labels.pod ?? ''),
      service: service === undefined || meant.length > 1 ? null : service,
      requestsPerSecond: values[0] ?? null,
      source: 'traefik',
    },
  ]
}

/** `shop_cart_8080`, and `shop_svc_cart_http` by HAProxy's own controller; neither part can hold a `_` itself. */
const haproxy: Read = (place, { labels, values }) => {
  const parts = (labels.proxy ?? '').split('_')
  const [namespace, service] = parts[1] === 'svc' && parts.length > 3 ? [parts[0], parts[2]] : parts
  if (parts.length < 3 || !namespace || !service) return []
  return [
    {
      host: null,
      router: null,
      door: doorOf(place, labels.namespace ?? '', labels.pod ?? ''),
      service: `${place.cluster}/${namespace}/${service}`,
      requestsPerSecond: values[0] ?? null,
      source: 'haproxy',
    },
  ]
}

/** The virtual host is the host that is asked for, or a name that holds it; what it is sent on to, no label tells. */
const envoy: Read = (place, { labels, values }) => {
  const name = labels.envoy_virtual_host?.toLowerCase() ?? ''
  if (name === '' || name === '*') return []
  const isHost = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name)
  return [
    {
      host: isHost ? name : null,
      router: isHost ? null : name.replaceAll(/[^a-z0-9]+/g, '-'),
      door: doorOf(place, labels.namespace ?? '', labels.pod ?? ''),
      service: null,
      requestsPerSecond: values[0] ?? null,
      source: 'envoy',
    },
  ]
}

const CONTROLLERS: Readonly<Record<string, Read>> = {
  'ingress-nginx': nginx,
  traefik,
  'traefik-services': traefik,
  haproxy,
  envoy,
}

/** A controller's workload from kube-state-metrics, else from the name that Kubernetes gives a deployment's pods. */
function doorOf({ cluster, workloadOfPod }: Place, namespace: string, pod: string): string | null {
  const known = workloadOfPod.get(`${namespace}/${pod}`)
  if (known !== undefined) return known
  const name = /^(.+)-[a-z0-9]{5,10}-[a-z0-9]{5}$/.exec(pod)?.[1]
  return name === undefined || !namespace ? null : workloadId({ cluster, namespace, kind: 'deployment', name })
}
