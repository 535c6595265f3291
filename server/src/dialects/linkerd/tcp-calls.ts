import { addInto } from '../../domain/columns.ts'
import { noTcp, type Observation, type Outbound } from '../../domain/observation.ts'
import type { SeriesColumn } from '../dialect.ts'
import { type Matcher, rate, selector, sumBy, tagged, union } from '../promql.ts'

/** What the proxy dials for its workload; what it accepts from it (`peer="src"`) is the same bytes once more. */
const DIALLED: Matcher = { label: 'peer', op: '=', value: 'dst' }

/**
 * Bytes and connections of every call, told apart by the label `part`. `each`: the labels of calls in the groups that
 * their requests are asked in, so that both are read as one call.
 */
export function tcpCalls(
  windowSeconds: number,
  each: readonly { readonly by: readonly string[]; readonly matchers: readonly Matcher[] }[],
): string {
  const sums = (metric: string, ask: (selected: string) => string) =>
    union(...each.map(({ by, matchers }) => sumBy(by, ask(selector(metric, [...matchers, DIALLED])))))
  const bytes = (metric: string) => sums(metric, (selected) => rate(selected, windowSeconds))
  return union(
    // What a caller's proxy reads of its callee is what that sent.
    tagged('part', 'tcpOut', bytes('tcp_read_bytes_total')),
    tagged('part', 'tcpIn', bytes('tcp_write_bytes_total')),
    tagged(
      'part',
      'tcpOpen',
      sums('tcp_open_connections', (selected) => selected),
    ),
  )
}

/** Puts bytes and connections on the call, as its callee sees them; `callOf` makes calls that nothing else tells of. */
export function readTcpCall(
  observation: Observation,
  { apart, values }: SeriesColumn,
  callOf: () => Outbound | undefined,
): void {
  // A connection that never carried anything is no call to show.
  if (!values.some((value) => value > 0)) return
  const call = callOf()
  if (call === undefined) return
  call.tcp ??= noTcp(observation.steps)
  const name = apart.part === 'tcpIn' ? 'bytesIn' : apart.part === 'tcpOut' ? 'bytesOut' : 'openConnections'
  addInto(call.tcp[name], values)
}
