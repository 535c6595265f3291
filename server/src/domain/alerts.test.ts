import { expect, test } from 'vitest'
import { joinAlerts } from './alerts.ts'
import type { ClusterView } from './assess.ts'
import { parseWorkloadId, type WorkloadRef } from './identity.ts'
import { destinationKey, emptyObservation, NO_CLUES, newInbound } from './observation.ts'
import { emptyTraffic } from './traffic.ts'

const ref = (id: string): WorkloadRef => {
  const parsed = parseWorkloadId(id)
  if (parsed === undefined) throw new Error(id)
  return parsed
}

const IDS = [
  'west/shop/cart',
  'west/shop/statefulset:db',
  'west/pay/cart',
  'west/pay/ledger-v1',
  'west/pay/statefulset:ledger',
  'west/net/daemonset:agent',
  'west/net/loki',
  'west/net/statefulset:loki-backend',
  'west/net/cronjob:backup',
]

function view(name: string, labels: readonly Record<string, string>[]): ClusterView {
  const now = emptyObservation(name, 1)
  for (const id of IDS) if (id.startsWith(`${name}/`)) now.inbound.set(id, newInbound(ref(id), 1))
  const destination = { kind: 'workload', workload: ref('west/pay/ledger-v1'), service: 'books' } as const
  now.outbound.set(`west/shop/cart ${destinationKey(destination)}`, {
    from: ref('west/shop/cart'),
    destination,
    traffic: emptyTraffic(1),
    measure: 'firstByte',
    attempts: 'each',
    serverId: null,
    clues: NO_CLUES,
    tcp: null,
  })
  const firing = labels.map((one) => ({ name: 'A', severity: null, summary: null, sinceSeconds: null, labels: one }))
  const surroundings = { goals: new Map(), alerts: { firing, told: true } }
  return { name, state: 'current', ageSeconds: 0, now, history: null, compare: null, surroundings }
}

test.each([
  { labels: { namespace: 'shop', deployment: 'cart' }, to: 'west/shop/cart', by: 'deployment' },
  { labels: { namespace: 'shop', statefulset: 'db' }, to: 'west/shop/statefulset:db', by: 'statefulset' },
  { labels: { namespace: 'shop', workload: 'db' }, to: 'west/shop/statefulset:db', by: 'workload' },
  { labels: { namespace: 'shop', deployment: 'db' }, to: null, by: null },
  { labels: { deployment: 'cart' }, to: null, by: null },
  { labels: { deployment: 'ledger-v1' }, to: 'west/pay/ledger-v1', by: 'deployment' },
  {
    labels: { namespace: 'monitoring', exported_namespace: 'pay', exported_deployment: 'cart', deployment: 'ksm' },
    to: 'west/pay/cart',
    by: 'exported_deployment',
  },
  {
    labels: { destination_workload: 'cart', destination_workload_namespace: 'pay' },
    to: 'west/pay/cart',
    by: 'destination_workload',
  },
  { labels: { namespace: 'shop', pod: 'cart-5d8f9c7b6-x2x4q' }, to: 'west/shop/cart', by: 'pod' },
  { labels: { namespace: 'shop', pod: 'db-0' }, to: 'west/shop/statefulset:db', by: 'pod' },
  { labels: { namespace: 'net', pod: 'agent-x2x4q' }, to: 'west/net/daemonset:agent', by: 'pod' },
  // A daemon set's, a bare one's, a stateful set's: none is a pod of the deployment that its name begins with.
  { labels: { namespace: 'net', pod: 'loki-canary-x2x4q' }, to: null, by: null },
  { labels: { namespace: 'net', pod: 'loki-x2x4q' }, to: null, by: null },
  { labels: { namespace: 'net', pod: 'loki-0' }, to: null, by: null },
  { labels: { namespace: 'net', pod: 'agent-5d8f9c7b6-x2x4q' }, to: null, by: null },
  { labels: { namespace: 'net', pod: 'backup-29384710-x2x4q' }, to: 'west/net/cronjob:backup', by: 'pod' },
  { labels: { namespace: 'pay', service: 'books' }, to: 'west/pay/ledger-v1', by: 'service' },
  { labels: { namespace: 'shop', service: 'cart' }, to: 'west/shop/cart', by: 'service' },
  { labels: { namespace: 'shop', service: 'gone' }, to: null, by: null },
  { labels: { instance: 'node-7:9100' }, to: null, by: null },
])('$labels -> $to', ({ labels, to, by }) => {
  expect(joinAlerts([view('west', [labels as Record<string, string>])])).toMatchObject([
    { cluster: 'west', workload: to, by },
  ])
})

test('where no mesh tells kinds, everything passes for a deployment', () => {
  const { now, ...rest } = view('west', [
    { namespace: 'shop', pod: 'cart-0' },
    { namespace: 'pay', pod: 'ledger-v1-x2x4q' },
    { namespace: 'shop', pod: 'cart-canary-x2x4q' },
  ])
  const inbound = new Map([...(now?.inbound ?? [])].filter(([id]) => !id.includes(':')))
  const untold = { ...rest, now: now && { ...now, inbound } }
  expect(joinAlerts([untold]).map(({ workload }) => workload)).toEqual(['west/shop/cart', 'west/pay/ledger-v1', null])
})

test('a cluster that another one alerts for is named by the label', () => {
  const labels = { cluster: 'west', namespace: 'shop', deployment: 'cart' }
  expect(joinAlerts([view('east', [labels]), view('west', [])])).toMatchObject([
    { cluster: 'west', workload: 'west/shop/cart' },
  ])
})

test('a cluster whose alerts are not known has none, and no others are invented', () => {
  expect(joinAlerts([{ ...view('west', []), surroundings: { goals: new Map(), alerts: null } }])).toEqual([])
})
