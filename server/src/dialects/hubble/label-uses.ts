import type { LabelUse } from '../dialect.ts'

/** What Hubble's labels are read as, which the contexts of its config choose. */
export const labelUses: readonly LabelUse[] = [
  { says: 'direction', labels: ['reporter'], note: 'client: what it calls; everything else: what it answers' },
  ...(['destination', 'source'] as const).flatMap((end) => [
    {
      says: end === 'destination' ? 'workload that answers' : 'workload that calls',
      labels: [`${end}_workload`, `${end}_app`, end],
      note: `the first that is set; ${end} where it is namespace/name`,
    },
    { says: 'its namespace', labels: [`${end}_namespace`, end], note: null },
  ]),
  { says: 'failed or not', labels: ['status'], note: '5xx failed' },
  { says: 'bucket', labels: ['le'], note: 'seconds' },
]
