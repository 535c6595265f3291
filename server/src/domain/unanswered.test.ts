import { expect, test } from 'vitest'
import { type CallEdge, type CallNode, callGraph } from './call-graph.ts'
import { decomposeDelta } from './own-time.ts'
import { withUnanswered } from './unanswered.ts'

const flow = (meanSeconds: number) => ({ requestsPerSecond: 10, meanSeconds })
const calls = (callerMeanSeconds: number) => ({ requestsPerSecond: 10, callerMeanSeconds, calleeMeanSeconds: null })
const node = (id: string, now: number | null, usual: number): CallNode => ({
  id,
  reportAs: id,
  now: now === null ? null : flow(now),
  usual: flow(usual),
})
const edge = (from: string, to: string, now: number | null, usual: number): CallEdge => ({
  id: `${from}~${to}`,
  from,
  to,
  now: now === null ? null : calls(now),
  usual: calls(usual),
})

/** a waits 5 s for b, which answers nobody; b used to call c, from which nothing has come back either. */
const nodes = [node('a', 5.01, 0.11), node('b', null, 0.1), node('c', null, 0.05)]
const edges = [edge('a', 'b', 5, 0.1), edge('b', 'c', null, 0.05)]

function blamed(heard: (node: CallNode) => boolean): string[] {
  const answered = withUnanswered(nodes, edges, heard)
  const found = decomposeDelta(callGraph(answered.nodes, answered.calls), 'a')
  return (found?.atLeast(1) ?? []).map(({ kind, id }) => `${kind} ${id}`)
}

test('silence is followed to where it begins', () => {
  expect(blamed(() => true)).toEqual(['workload c'])
})

test('where nobody would hear it, the time stays in the dark', () => {
  expect(blamed(() => false)).toEqual(['beyond b'])
})

test('who is no longer called does not count as silent', () => {
  const answered = withUnanswered([nodes[1] as CallNode], [edge('a', 'b', null, 0.1)], () => true)
  expect(answered.nodes[0]?.now).toBeNull()
})
