import type { LabelUse } from '../dialect.ts'
import { NAMES } from './labels.ts'

/** What the labels of Envoy's own stats, and those that the scrape adds, are read as. */
export const labelUses: readonly LabelUse[] = [
  { says: 'namespace', labels: ['namespace'], note: 'added by the scrape' },
  { says: 'workload', labels: NAMES, note: 'added by the scrape; the first that is set' },
  {
    says: 'what it accepts',
    labels: ['envoy_http_conn_manager_prefix'],
    note: 'but admin, egress and outbound listeners',
  },
  {
    says: 'callee',
    labels: ['envoy_cluster_name'],
    note: 'namespace/service/port is a service, a name with dots a host, all else stays a name',
  },
  { says: 'failed or not', labels: ['envoy_response_code_class'], note: '5 failed' },
  { says: 'pod', labels: ['instance'], note: 'to count replicas' },
  { says: 'bucket', labels: ['le'], note: 'milliseconds' },
]
