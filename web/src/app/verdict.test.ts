import { expect, test } from 'vitest'
import { D, fleet, X } from '../../test/incident.ts'
import { scenes } from '../../test/scenes.ts'
import { viewOfHead } from '../answers/head.ts'
import { isAlarming, pageTitle } from './page-title.ts'
import { seenTroubleText } from './seen-trouble.ts'
import { segmentsOf, splitSentence } from './verdict-segments.ts'
import { verdictText } from './verdict-text.ts'

const view = viewOfHead(fleet, fleet.workloads, fleet.suspects)

test('the names in the sentence are found, whichever way they are written', () => {
  const linked = segmentsOf(fleet.verdict.text, [D, X]).filter(({ id }) => id !== null)
  expect(linked).toEqual([
    { text: 'shop/storefront', id: X },
    { text: 'stock/ledger', id: D },
  ])
  expect(segmentsOf('a is slow because of bad luck', ['east/n/a'])[0]).toEqual({ text: 'a', id: 'east/n/a' })
})

test.each([
  {
    text: 'X is slow because of D (west). 7.36 s of 7.54 s.',
    several: false,
    lead: 'X is slow because of D (west). 7.36 s of 7.54 s.',
  },
  { text: "X is slow because of D. D's own time is 736 ms.", several: false, lead: 'X is slow because of D.' },
  {
    text: '2 separate problems. Worst: X is slow. Since 03:12 UTC.',
    several: true,
    lead: '2 separate problems. Worst: X is slow.',
  },
])('the sentence that matters is $lead', ({ text, several, lead }) => {
  const split = splitSentence(text, several)
  expect(split.lead).toBe(lead)
  expect(split.lead + split.rest).toBe(text)
})

test('no name is found inside another word, and the sentence stays whole', () => {
  const sentence = 'Everything waits for ledger-v2.'
  expect(
    segmentsOf(sentence, [D])
      .map(({ text }) => text)
      .join(''),
  ).toBe(sentence)
  expect(segmentsOf(sentence, [D]).some(({ id }) => id !== null)).toBe(false)
})

test('a tab in the background reports who suffers and how much', () => {
  expect(pageTitle(view, '')).toBe('(!) storefront p99 2.44 s - Goldseam')
  expect(pageTitle(undefined, 'web')).toBe('web - Goldseam')
})

test('a tab does not cry for what is only not known yet, and does for a cluster that is silent', () => {
  const unknown = { form: 'unknown', text: 'What is usual in west is not known yet.', subject: null } as const
  const verdict = { ...fleet.verdict, ...unknown, suspect: null }
  expect(isAlarming({ ...view, head: { ...view.head, verdict } })).toBe(false)
  expect(isAlarming({ ...view, head: { ...view.head, verdict: { ...verdict, subject: X } } })).toBe(true)
  const clusters = view.head.clusters.map((cluster) => ({ ...cluster, state: 'stale' as const }))
  expect(isAlarming({ ...view, head: { ...view.head, verdict, clusters } })).toBe(true)
})

test('the finding as text tells what a suspect adds to each request, however often it is called', () => {
  const suspects = view.suspects.map((suspect) => ({
    ...suspect,
    own: { ...suspect.own, seconds: 0.1, share: 0.97 },
    deltaSeconds: 0.31,
  }))
  expect(verdictText({ ...view, suspects }, 'http://goldseam/fleet')).toContain('own time +301 ms (97 % of +310 ms)')
})

test('the finding as text suspects nobody whom the sentence does not', () => {
  const verdict = { ...fleet.verdict, form: 'unknown' as const, suspect: null }
  expect(verdictText({ ...view, head: { ...view.head, verdict } }, 'http://goldseam/fleet')).not.toContain('Suspect')
})

test('the finding as text names suspect, share, path and what is missing', () => {
  const text = verdictText(view, 'http://goldseam/fleet')
  expect(text).toContain('03:31 UTC')
  expect(text).toContain('west/stock/ledger  own time +736 ms (98 % of +754 ms)')
  expect(text).toContain('storefront =seam=> catalog -> rules -> ledger')
  expect(text).toContain('Missing   none (2/2 clusters)')
})

const AT = '2026-11-21T03:31:10Z'
const LOOKING = '2026-11-21T00:31:10Z'
test.each([
  { last: '2026-11-20T23:31:10Z', text: 'Last trouble seen 4 h ago.' },
  { last: '2026-11-21T03:31:10Z', text: 'Last trouble seen just now.' },
  { last: '2026-11-18T03:31:10Z', text: 'Last trouble seen on 2026-11-18.' },
  { last: null, text: 'No trouble seen since this server began to look, 3 h ago.' },
])('before a quiet moment: $text', ({ last, text }) => {
  expect(seenTroubleText({ last, lookingSince: LOOKING }, AT, true)).toBe(text)
})

test('what is kept or sent names instants: it is read later', () => {
  const quiet = scenes.quiet.fleet
  const kept = verdictText(viewOfHead(quiet, quiet.workloads, []), 'http://goldseam/fleet')
  expect(kept).toContain('Before    Last trouble seen 2026-11-20 23:31:10 UTC.')
  expect(seenTroubleText({ last: null, lookingSince: LOOKING }, AT, false)).toBe(
    'No trouble seen since 2026-11-21 00:31:10 UTC.',
  )
  expect(verdictText(view, 'http://goldseam/fleet')).not.toContain('Before')
})
