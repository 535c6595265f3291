import './suspect-path.css'
import type { Suspect } from '@goldseam/server/contract'
import { Fragment } from 'react'
import { lastName, parseEdgeId, parseWorkloadId } from '../format/workload-name.ts'
import { WorkloadLink } from './workload-link.tsx'

/** The way the trouble travels: single line inside a cluster, gold double rail across the seam. */
export function SuspectPath({ suspect }: { readonly suspect: Suspect }) {
  return (
    <span className="path">
      {suspect.path.map((id, index) => {
        const before = suspect.path[index - 1]
        const target = parseEdgeId(id)?.to ?? id
        const seam = before !== undefined && parseWorkloadId(before)?.cluster !== parseWorkloadId(target)?.cluster
        return (
          <Fragment key={id}>
            {before !== undefined && (
              <span className={seam ? 'path-seam' : 'path-call'}>
                <span className="sr-only">{seam ? 'across the seam calls' : 'calls'}</span>
              </span>
            )}
            <WorkloadLink id={id}>{lastName(target)}</WorkloadLink>
          </Fragment>
        )
      })}
    </span>
  )
}
