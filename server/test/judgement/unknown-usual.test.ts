import { describe, expect, test } from 'vitest'
import type { ClusterView } from '../../src/domain/assess.ts'
import { verdictWithin } from '../../src/domain/verdict-within.ts'
import { course, D, type Given, pictureIn, viewsIn, X } from './incident-world.ts'

const BAD: Given = { nodes: { [X]: course(41, 0.1, 0.1), [D]: course(41, 0.02, 30, 15) }, calls: [] }

/** As told by clusters of which some have no past (yet). */
const drawn = (unread: readonly string[], given: Given = BAD) =>
  pictureIn(
    given,
    viewsIn(given).map((view): ClusterView => (unread.includes(view.name) ? { ...view, history: null } : view)),
  )

describe('a cluster whose past has not been read', () => {
  test('is no part of a quiet fleet', () => {
    expect(drawn(['west']).verdict).toMatchObject({
      form: 'unknown',
      text: 'Nothing unusual in 1 of 2 clusters. What is usual in west is not known yet.',
    })
  })

  test('does not hide the goals that somebody misses, nor do they hide it', () => {
    const goals = [{ workload: X, successRatio: null, latencySeconds: { mean: 0.05 }, leastRequestsPerSecond: null }]
    const { text } = drawn(['west'], { ...BAD, goals: goals.map((goal) => ({ ...goal, periodSeconds: null })) }).verdict
    expect(text).toMatch(/misses its goals: mean 100 ms.* What is usual in west is not known yet\.$/)
  })

  test('is nobody to a part of the fleet that it is not in', () => {
    const { situation, judgement } = drawn(['west'])
    const within = (name: string) =>
      verdictWithin(situation, judgement, { clusters: new Set([name]), namespaces: null }).text
    expect(within('east')).toBe('All quiet. 1 workload in 1 cluster within its usual range.')
    expect(within('west')).toBe('What is usual in west is not known yet.')
  })

  test('is no part of what is quiet while another one is silent, either', () => {
    const views = viewsIn(BAD).map((view): ClusterView => {
      return view.name === 'west' ? { ...view, history: null } : { ...view, state: 'missing', now: null, history: null }
    })
    expect(pictureIn(BAD, views).verdict.text).toBe('What is usual in west is not known yet. east does not answer.')
  })

  test('counts for nothing where it counts nothing', () => {
    const { [D]: _gone, ...nodes } = BAD.nodes
    expect(drawn(['west'], { ...BAD, nodes }).verdict.form).toBe('quiet')
  })

  test('before any past has come in one thing is said', () => {
    expect(drawn(['east', 'west']).verdict).toMatchObject({
      form: 'unknown',
      text: '2 workloads, but no calm stretch is known to compare with.',
    })
  })
})

test('who is new is not counted among those within their usual range', () => {
  const given: Given = { ...BAD, nodes: { ...BAD.nodes, [D]: course(41, 0.02, 0.02) } }
  const views = viewsIn(given).map((view) => {
    view.history?.inbound.delete(D)
    return view
  })
  expect(pictureIn(given, views).verdict.text).toBe('All quiet. 1 workload in 2 clusters within its usual range.')
})

test('goals that somebody misses are told while a cluster is silent, and beside doubts', () => {
  const goals = [{ workload: X, successRatio: null, latencySeconds: { mean: 0.05 }, leastRequestsPerSecond: null }]
  const given: Given = {
    nodes: { [X]: course(41, 0.1, 0.1), [D]: course(41, 0.02, 0.02) },
    calls: [],
    goals: goals.map((goal) => ({ ...goal, periodSeconds: null })),
    silent: ['west'],
  }
  const misses = 'shop/x (east) misses its goals: mean 100 ms (goal 50 ms)'
  expect(pictureIn(given).verdict).toMatchObject({
    form: 'unknown',
    subject: X,
    text: `Nothing unusual in 1 of 2 clusters. ${misses}. west has not answered for 40 s.`,
  })
  const polluted = { ...given, silent: [], nodes: { ...given.nodes, [D]: course(41, 0.02, 0.2) }, beganStepsAgo: 240 }
  expect(pictureIn(polluted).verdict).toMatchObject({
    form: 'unknown',
    subject: X,
    text: expect.stringContaining(misses),
  })
})
