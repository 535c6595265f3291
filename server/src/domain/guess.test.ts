import { expect, test } from 'vitest'
import { guessesOf, ingressBefore } from './guess.ts'
import type { StitchedEdge } from './stitch/types.ts'

const edge = (to: string, share: number, more: Partial<StitchedEdge> = {}): StitchedEdge => ({
  id: `east/shop/web~${to}`,
  from: 'east/shop/web',
  to,
  seam: true,
  rule: 'ingress',
  confidence: 'dotted',
  evidence: [],
  destination: '203.0.113.20:80',
  via: null,
  host: null,
  callerFlows: [{ key: 'web 203.0.113.20:80', share }],
  callerCluster: 'east',
  measure: 'firstByte',
  attempts: 'each',
  calleeBy: null,
  outside: false,
  ...more,
})

test.each([
  { why: 'shares of the same calls are all of them', shares: [0.5, 0.3, 0.2] },
  { why: 'candidates that each may have all of the calls have them once', shares: [1, 1, 1] },
])('$why', ({ shares }) => {
  const edges = shares.map((share, i) => edge(`west/shop/${i}`, share))
  const guessed = guessesOf(edges.map((one) => ({ edge: one })))
  const counted = edges.map((one, i) => guessed(one).part * (shares[i] ?? 0))
  expect(counted.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12)
  expect(new Set(edges.map((one) => guessed(one).to))).toEqual(new Set(['outside/203.0.113.20:80']))
})

test('what goes through one ingress ends behind it, whatever it is called by', () => {
  const via = 'west/ingress-nginx/controller'
  const edges = ['a.example', 'b.example'].map((destination) => edge('west/shop/a', 1, { via, destination }))
  const guessed = guessesOf(edges.map((one) => ({ edge: one })))
  const [place = ''] = new Set(edges.map((one) => guessed(one).to))
  expect(ingressBefore(place, new Set([via]))).toBe(via)
  expect(ingressBefore('outside/203.0.113.20:80', new Set([via]))).toBeNull()
})
