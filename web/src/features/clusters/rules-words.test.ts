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
  empty: [],
  outdated: [],
  peers: ['west', 'north'],
}

test('says what is read from the rules of each lane', () => {
  expect(rulesWords({ recordingRules: rules })).toEqual([
    'Rates and means of linkerd are read from recording rules: over 60 s, every 10 s.',
    'Percentiles of linkerd are read from recording rules: over 60 s, every 30 s.',
  ])
})

test('says what has to be done where rules fit other questions', () => {
  const words = rulesWords({ recordingRules: { ...rules, outdated: ['outbound', 'outboundTime'] } })
  expect(words).toHaveLength(3)
  expect(words.at(-1)).toBe(
    'The rules for outbound, outboundTime are of another version or for other clusters: read from the raw series. Write them anew with "npm run rules -- --peers west,north".',
  )
  const alone = rulesWords({ recordingRules: { ...rules, recorded: [], outdated: ['inbound'], peers: [] } })
  expect(alone).toHaveLength(1)
  expect(alone[0]).toContain('Write them anew with "npm run rules".')
})

test('says that rules over another window are read by nobody, and how to write others', () => {
  const lanes = rules.lanes
  const words = rulesWords({
    recordingRules: { ...rules, lanes: [], overOthers: lanes, windowSeconds: 120, recorded: [] },
  })
  expect(words).toEqual([
    expect.stringMatching(
      /^Rates and means of linkerd are recorded over 60 s, and rates are taken over 2 m at present/,
    ),
    expect.stringMatching(/Write rules for that with "npm run rules -- --window 120s --peers west,north"\.$/),
  ])
})

test('does not alarm where there was nothing to record', () => {
  const words = rulesWords({ recordingRules: { ...rules, empty: ['egress', 'routes'] } })
  expect(words).toHaveLength(3)
  expect(words.at(-1)).toBe('The rules recorded nothing lately for egress, routes: read from the raw series.')
})

test('tells rules that have to be written anew from those with nothing to record', () => {
  const words = rulesWords({ recordingRules: { ...rules, recorded: [], empty: ['egress'], outdated: ['outbound'] } })
  expect(words).toEqual([
    expect.stringMatching(/^The rules for outbound are of another version or for other clusters/),
    'The rules recorded nothing lately for egress: read from the raw series.',
  ])
})

test('has nothing to say without rules', () => {
  expect(rulesWords({ recordingRules: null })).toEqual([])
  expect(rulesWords({})).toEqual([])
})
