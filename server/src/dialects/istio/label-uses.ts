import type { LabelUse } from '../dialect.ts'
import { SERVICE, SOURCE, TARGET } from './labels.ts'

const [CALLER, CALLER_NAMESPACE, CALLER_CLUSTER] = SOURCE as [string, string, string]
const [CALLEE, CALLEE_NAMESPACE, CALLEE_CLUSTER] = TARGET as [string, string, string]

/** What Istio's labels are read as. */
export const labelUses: readonly LabelUse[] = [
  {
    says: 'direction',
    labels: ['reporter'],
    note: 'destination: what it answers; source and waypoint: what was called; one of them is believed, none added',
  },
  { says: 'workload that answers', labels: [CALLEE], note: 'the kind is not told: taken for a deployment' },
  { says: 'its namespace', labels: [CALLEE_NAMESPACE], note: null },
  { says: 'workload that calls', labels: [CALLER], note: null },
  { says: 'its namespace', labels: [CALLER_NAMESPACE], note: null },
  {
    says: 'cluster',
    labels: [CALLER_CLUSTER, CALLEE_CLUSTER],
    note: 'of the caller, of the callee; the name that reporters here go by is this cluster',
  },
  { says: 'service that was asked for', labels: SERVICE, note: null },
  {
    says: 'failed or not',
    labels: ['response_code', 'request_protocol', 'grpc_response_status'],
    note: '5xx or no response; of gRPC, statuses that are the fault of the server',
  },
  { says: 'why it failed', labels: ['response_flags'], note: null },
  { says: 'pod', labels: ['pod'], note: 'of what it answers, to count replicas' },
  { says: 'bucket', labels: ['le'], note: 'milliseconds' },
]
