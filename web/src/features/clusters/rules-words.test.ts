import type { RecordingRules } from '@goldseam/server/contract'
import { expect, test } from 'vitest'
import { rulesWords } from './rules-words.ts'

const lane = { dialect: 'linkerd', windowSeconds: 60, since: '2026-09-29T03:00:00.000Z' }
const rules: RecordingRules = {
  lanes: [
    { ...lane, lane: 'fast', intervalSeconds: 10 },
    { ...lane, lane: 'slow', intervalSeconds: 30 },
  ],
  recorded: ['inbound', 'inboundBuckets'],
  raw: [],
  foreign: false,
  peers: ['west', 'north'],
}

test('says what is read from the rules of each lane', () => {
  expect(rulesWords({ recordingRules: rules })).toEqual([
    'Rates and means of linkerd are read from recording rules: over 60 s, every 10 s.',
    'Percentiles of linkerd are read from recording rules: over 60 s, every 30 s.',
  ])
})

test('says what has to be done where rules fit other questions', () => {
  const words = rulesWords({ recordingRules: { ...rules, raw: ['outbound', 'outboundTime'], foreign: true } })
  expect(words.at(-1)).toBe(
    'There are recording rules, but of another version or for other clusters: outbound, outboundTime are read from the raw series. Write them anew with "npm run rules -- --peers west,north".',
  )
  const alone = rulesWords({ recordingRules: { ...rules, recorded: [], raw: ['inbound'], foreign: true, peers: [] } })
  expect(alone).toHaveLength(1)
  expect(alone[0]).toContain('Write them anew with "npm run rules".')
})

test('does not alarm where there was nothing to record', () => {
  const words = rulesWords({ recordingRules: { ...rules, raw: ['egress', 'routes'] } })
  expect(words.at(-1)).toBe('The rules recorded nothing lately for egress, routes: read from the raw series.')
})

test('has nothing to say without rules', () => {
  expect(rulesWords({ recordingRules: null })).toEqual([])
  expect(rulesWords({})).toEqual([])
})
