import type { ClusterDetail, RecordingRules } from '@goldseam/server/contract'
import { age } from '../../format/age.ts'

const OF_LANE = { fast: 'Rates and means', slow: 'Percentiles' } as const

/** Sentences on what is read from recording rules, and on what is not although they are there; none without rules. */
export function rulesWords({ recordingRules: rules }: Pick<ClusterDetail, 'recordingRules'>): readonly string[] {
  if (rules == null) return []
  const read = rules.recorded.length === 0 ? [] : rules.lanes.map(laneWords)
  return [...read, ...outdatedWords(rules), ...emptyWords(rules)]
}

function laneWords({ dialect, lane, windowSeconds, intervalSeconds }: RecordingRules['lanes'][number]): string {
  const rules = `recording rules: over ${age(windowSeconds)}, every ${age(intervalSeconds)}`
  return `${OF_LANE[lane]} of ${dialect} are read from ${rules}.`
}

function outdatedWords({ outdated, peers }: RecordingRules): readonly string[] {
  if (outdated.length === 0) return []
  const command = peers.length === 0 ? 'npm run rules' : `npm run rules -- --peers ${peers.join(',')}`
  return [
    `The rules for ${outdated.join(', ')} are of another version or for other clusters: read from the raw series. Write them anew with "${command}".`,
  ]
}

function emptyWords({ empty }: RecordingRules): readonly string[] {
  if (empty.length === 0) return []
  return [`The rules recorded nothing lately for ${empty.join(', ')}: read from the raw series.`]
}
