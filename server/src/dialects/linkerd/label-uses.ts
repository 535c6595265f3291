import type { LabelUse } from '../dialect.ts'
import { DESTINATION, KINDS } from './labels.ts'

/** What Linkerd's labels are read as. */
export const labelUses: readonly LabelUse[] = [
  { says: 'namespace', labels: ['namespace'], note: null },
  { says: 'workload', labels: KINDS, note: 'the first that is set; which one it is tells the kind' },
  { says: 'pod', labels: ['pod'], note: null },
  { says: 'direction', labels: ['direction'], note: 'inbound: what it answers; outbound: what it calls' },
  { says: 'failed or not', labels: ['classification'], note: 'failure; everything else succeeded' },
  {
    says: 'callee',
    labels: DESTINATION.filter((label) => label.startsWith('dst_')),
    note: 'a workload, a service, or with dst_target_ a mirrored service of another cluster',
  },
  { says: 'callee outside the mesh', labels: ['hostname', 'authority', 'target_addr'], note: null },
  { says: 'identity', labels: ['client_id', 'server_id'], note: 'of the caller, of the callee' },
  { says: 'own address', labels: ['target_ip'], note: 'of what it accepts from others' },
  { says: 'bucket', labels: ['le'], note: 'milliseconds; of calls to outside, seconds' },
]
