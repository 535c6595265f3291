import { expect, test } from 'vitest'
import { judge, judging } from '../../src/domain/suspects.ts'
import type { Turns } from '../../src/domain/turns.ts'
import { course, drawingIn, type Given, situationIn } from './incident-world.ts'

/** Chains of calls, each workload slower than usual, so that everybody is judged. */
function chains(workloads: number): Given {
  const ids = Array.from({ length: workloads }, (_, at) => `${at % 2 === 0 ? 'east' : 'west'}/shop/w${at}`)
  return {
    nodes: Object.fromEntries(ids.map((id) => [id, course(41, 0.02, 0.2)])),
    calls: ids.slice(1).map((to, at) => ({ from: String(ids[at]), to, course: course(41, 0.02, 0.2) })),
  }
}

function piecesOf(given: Given): number {
  return inPieces(drawingIn(given)).pieces
}

function inPieces<T>(work: Turns<T>): { pieces: number; result: T } {
  for (let pieces = 1; ; pieces += 1) {
    const { done, value } = work.next()
    if (done === true) return { pieces, result: value }
  }
}

test('a picture of many is drawn in many pieces, one of few in few', () => {
  const [few, many] = [piecesOf(chains(2)), piecesOf(chains(640))]
  expect(few).toBeLessThan(40)
  // Joined, assessed, measured and put into the graph: at least five times through all workloads or calls, 64 a piece.
  expect(many - few).toBeGreaterThanOrEqual(5 * (640 / 64))
})

/** So many fronts that nobody calls, each with one slow workload behind it. */
function fronts(count: number): Given {
  const pairs = Array.from({ length: count }, (_, at) => [`east/shop/front${at}`, `east/shop/back${at}`] as const)
  return {
    nodes: Object.fromEntries(pairs.flat().map((id) => [id, course(41, 0.02, 0.2)])),
    calls: pairs.map(([from, to]) => ({ from, to, course: course(41, 0.02, 0.2) })),
  }
}

test('each front is judged in a piece of its own, and the judgement is the same', () => {
  const situation = situationIn(fronts(20))
  const { pieces, result } = inPieces(judging(situation))
  expect(result.entries).toHaveLength(20)
  // What explains each, who of it is named, and each suspect.
  expect(pieces).toBeGreaterThanOrEqual(3 * 20)
  expect(result).toEqual(judge(situation))
})
