import type { ClusterDetail, RecordingRules } from '@goldseam/server/contract'
import { age } from '../../format/age.ts'

const OF_LANE = { fast: 'Rates and means', slow: 'Percentiles' } as const

/** Sentences on what is read from recording rules, and on what is not although they are there; none without rules. */
export function rulesWords({ recordingRules: rules }: Pick<ClusterDetail, 'recordingRules'>): readonly string[] {
  if (rules == null) return []
  if (rules.recorded.length === 0) return [...rawWords(rules)]
  return [...rules.lanes.map(laneWords), ...rawWords(rules)]
}

function laneWords({ dialect, lane, windowSeconds, intervalSeconds }: RecordingRules['lanes'][number]): string {
  const rules = `recording rules: over ${age(windowSeconds)}, every ${age(intervalSeconds)}`
  return `${OF_LANE[lane]} of ${dialect} are read from ${rules}.`
}

function rawWords({ raw, foreign, peers }: RecordingRules): readonly string[] {
  if (raw.length === 0) return []
  const names = raw.join(', ')
  if (!foreign) return [`The rules recorded nothing lately for ${names}: read from the raw series.`]
  const command = peers.length === 0 ? 'npm run rules' : `npm run rules -- --peers ${peers.join(',')}`
  return [
    `There are recording rules, but of another version or for other clusters: ${names} are read from the raw series. Write them anew with "${command}".`,
  ]
}
