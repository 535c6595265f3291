import type { ClusterStatus } from '@goldseam/server/contract'
import { printed } from '../../format/quantity.ts'
import { share } from '../../format/ratio.ts'
import { Metric } from '../../ui/metric.tsx'

/** How busy Goldseam keeps the cluster's Prometheus, of how busy it may. */
export function LoadReading({ load }: Pick<ClusterStatus, 'load'>) {
  return (
    // One box: on a phone the parts of a cell are drawn apart.
    <div>
      <Metric kind="share" value={load.querySecondsPerSecond} label="load: part of each second that queries take" />
      <span className="muted"> of {printed(share(load.maxLoad))}</span>
      {load.stretched && <div className="muted">{load.stretched}</div>}
    </div>
  )
}
