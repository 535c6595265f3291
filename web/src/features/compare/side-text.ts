import type { CompareSide } from '@goldseam/server/contract'
import { instant } from '../../format/clock.ts'

/** A side as text, for pictures and files that travel without their page. */
export function sideText({ clusters, namespace, name, version, from, to }: CompareSide): string {
  const place = [clusters.join(', '), namespace, name].filter(Boolean).join('/')
  return `${place}${version ? `, version ${version}` : ''}, ${instant(from)} to ${instant(to)}`
}
