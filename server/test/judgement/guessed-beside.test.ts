import { expect, test } from 'vitest'
import { judge } from '../../src/domain/suspects.ts'
import { emptyTraffic, type Traffic } from '../../src/domain/traffic.ts'
import { verdictOf } from '../../src/domain/verdict.ts'
import { course, type Given, pictureIn, viewsIn } from './incident-world.ts'

const [X, W] = ['east/shop/x', 'west/labs/w']

function traffic(steps: number, rate: number, seconds: (troubled: boolean) => number, failing: number): Traffic {
  const made = emptyTraffic(steps)
  for (let step = 0; step < steps; step += 1) {
    const troubled = steps === 1 || steps - 1 - step < 8
    made.failures[step] = troubled ? failing : 0
    made.success[step] = rate - (troubled ? failing : 0)
    made.latencyCount[step] = rate
    made.latencySeconds[step] = rate * seconds(troubled)
  }
  return made
}

/**
 * X calls W by one host for sure, and perhaps by another: W is asked for that as well, but more often than X asks. What
 * goes wrong goes wrong on that one.
 */
function pictureOf({ slow, failing }: { readonly slow: number; readonly failing: number }) {
  const given: Given = {
    nodes: {
      [X]: course(40, 0.1, 0.1 + slow, failing),
      [W]: course(140, 0.02, 0.02),
      'west/labs/z': course(5, 0.02, 0.02),
    },
    calls: [
      { from: X, to: W, course: course(40, 0.025, 0.025) },
      { from: X, to: 'host:more.example', course: course(40, 0.025, 0.025 + slow, failing) },
    ],
  }
  const views = viewsIn(given)
  for (const { now, history } of views) {
    for (const observation of [now, history]) {
      const inbound = observation?.inbound.get(W)
      if (observation === null || inbound === undefined) continue
      inbound.byHost = new Map([
        ['w.example', traffic(observation.steps, 40, () => 0.02, 0)],
        ['more.example', traffic(observation.steps, 100, () => 0.02, 0)],
      ])
    }
  }
  return pictureIn(given, views).situation
}

test('a guess beside a sure call is no edge of its own, and is kept beside it', () => {
  const { edges, guesses } = pictureOf({ slow: 0.5, failing: 0 })
  expect(edges.map(({ edge }) => [edge.id, edge.confidence, edge.callerFlows.length])).toEqual([
    [`${X}~${W}`, 'dashed', 1],
  ])
  expect(guesses.map(({ edge, flows }) => [edge.confidence, flows.callerNow.requestsPerSecond])).toEqual([
    ['dotted', 40],
  ])
})

test('what is waited for there is not the own time of its caller', () => {
  const situation = pictureOf({ slow: 0.5, failing: 0 })
  const judgement = judge(situation)
  const [prime] = judgement.suspects
  expect(prime).toMatchObject({ id: 'outside/more.example', kind: 'beyond', of: X })
  expect(verdictOf(situation, judgement).text).toContain(
    'shop/x (east) is slow because of more.example or what is behind it',
  )
})

test('nor does its caller fail by itself for what fails there', () => {
  const [prime] = judge(pictureOf({ slow: 0, failing: 20 })).suspects
  expect(prime).toMatchObject({ id: 'outside/more.example', kind: 'beyond', of: X, trouble: 'failures' })
})
