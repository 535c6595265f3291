import { viewOf } from '../../answers/edge-reading.ts'
import type { TableData } from '../../ui/table-download.tsx'
import type { Picture } from './picture.ts'

/** The calls of the map in base units. */
export function tableOfMap({ edges }: Picture): TableData {
  return {
    head: [
      'caller',
      'callee',
      'seam',
      'confidence',
      'rule',
      'requests_per_second',
      'success_ratio',
      'mean_seconds',
      'health',
    ],
    rows: edges.map(({ edge, health }) => {
      const view = viewOf(edge)
      return [
        edge.from,
        edge.to,
        edge.seam ? 'yes' : 'no',
        edge.confidence,
        edge.rule,
        view?.requestsPerSecond ?? null,
        view?.successRatio ?? null,
        view?.latencySeconds.mean ?? null,
        health,
      ]
    }),
  }
}
