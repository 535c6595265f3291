import type { ClusterDetail, RecordingRules } from '@goldseam/server/contract'
import { lasting } from '../../format/age.ts'

const OF_LANE = { fast: 'Rates and means', slow: 'Percentiles' } as const

/** Sentences on what is read from recording rules, and on what is not although they are there; none without rules. */
export function rulesWords({ recordingRules: rules }: Pick<ClusterDetail, 'recordingRules'>): readonly string[] {
  if (rules == null) return []
  const read = rules.recorded.length === 0 ? [] : rules.lanes.map(laneWords)
  return [...read, ...otherWords(rules), ...outdatedWords(rules), ...emptyWords(rules)]
}

/** Rules over another window than the one of now are evaluated for nobody. */
function otherWords({ overOthers = [], windowSeconds, peers }: RecordingRules): readonly string[] {
  if (windowSeconds === undefined) return []
  return overOthers.map(
    ({ dialect, lane, windowSeconds: over }) =>
      `${OF_LANE[lane]} of ${dialect} are recorded over ${lasting(over)}, and rates are taken over ${lasting(windowSeconds)} at present (for all clusters, by the one that is scraped least often): read from the raw series. Write rules for that with "${command(peers, [`--window ${windowSeconds}s`])}".`,
  )
}

function command(peers: readonly string[], more: readonly string[] = []): string {
  const options = [...more, ...(peers.length === 0 ? [] : [`--peers ${peers.join(',')}`])]
  return options.length === 0 ? 'npm run rules' : `npm run rules -- ${options.join(' ')}`
}

function laneWords({ dialect, lane, windowSeconds, intervalSeconds }: RecordingRules['lanes'][number]): string {
  const rules = `recording rules: over ${lasting(windowSeconds)}, every ${lasting(intervalSeconds)}`
  return `${OF_LANE[lane]} of ${dialect} are read from ${rules}.`
}

function outdatedWords({ outdated, peers, lanes }: RecordingRules): readonly string[] {
  if (outdated.length === 0) return []
  return [
    `The rules for ${outdated.join(', ')} are of another version or for other clusters: read from the raw series. Write them anew with "${command(peers, windowOf(lanes))}".`,
  ]
}

/** The window that the rules are written for where nothing else is said. */
const USUAL_WINDOW_SECONDS = 60

function windowOf([lane]: RecordingRules['lanes']): readonly string[] {
  return lane === undefined || lane.windowSeconds === USUAL_WINDOW_SECONDS ? [] : [`--window ${lane.windowSeconds}s`]
}

function emptyWords({ empty }: RecordingRules): readonly string[] {
  if (empty.length === 0) return []
  return [`The rules recorded nothing lately for ${empty.join(', ')}: read from the raw series.`]
}
