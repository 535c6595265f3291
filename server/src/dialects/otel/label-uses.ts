import type { LabelUse } from '../dialect.ts'
import { NAMESPACES } from './labels.ts'

/** What the labels of metrics made out of traces are read as. */
export const labelUses: readonly LabelUse[] = [
  { says: 'workload', labels: ['service_name', 'service'], note: 'a service, taken for the workload of its name' },
  { says: 'its namespace', labels: NAMESPACES, note: 'where somebody added one' },
  { says: 'caller and callee', labels: ['client', 'server'], note: 'of the service graph' },
  {
    says: 'their namespaces',
    labels: ['client', 'server'].flatMap((end) => NAMESPACES.map((label) => `${end}_${label}`)),
    note: null,
  },
  {
    says: 'end that has no traces',
    labels: ['connection_type', 'virtual_node'],
    note: 'a database, a queue, or whoever nobody saw: the caller where it is called "user"',
  },
  { says: 'direction', labels: ['span_kind'], note: 'SPAN_KIND_SERVER: what it answers; other spans are not read' },
  { says: 'failed or not', labels: ['status_code'], note: 'STATUS_CODE_ERROR failed' },
  { says: 'bucket', labels: ['le'], note: 'seconds or milliseconds, as the metric is named' },
]
