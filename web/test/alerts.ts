import type { Alert } from '@goldseam/server/contract'

/** One that names a workload, and one that names none. */
export const firing: Alert[] = [
  {
    cluster: 'east',
    name: 'StorefrontSlow',
    severity: 'page',
    summary: 'storefront answers slower than 500 ms',
    since: '2026-11-21T03:14:00Z',
    labels: { namespace: 'shop', deployment: 'storefront', severity: 'page' },
    workload: 'east/shop/storefront',
    by: 'deployment',
  },
]

export const unjoined: Alert = {
  cluster: 'west',
  name: 'DiskFills',
  severity: 'warning',
  summary: null,
  since: '2026-11-21T01:02:00Z',
  labels: { instance: 'node-7:9100', device: 'sda1', severity: 'warning' },
  workload: null,
  by: null,
}
