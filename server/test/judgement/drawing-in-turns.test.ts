import { expect, test } from 'vitest'
import { course, drawingIn, type Given } from './incident-world.ts'

/** Chains of calls, each workload slower than usual, so that everybody is judged. */
function chains(workloads: number): Given {
  const ids = Array.from({ length: workloads }, (_, at) => `${at % 2 === 0 ? 'east' : 'west'}/shop/w${at}`)
  return {
    nodes: Object.fromEntries(ids.map((id) => [id, course(41, 0.02, 0.2)])),
    calls: ids.slice(1).map((to, at) => ({ from: String(ids[at]), to, course: course(41, 0.02, 0.2) })),
  }
}

function piecesOf(given: Given): number {
  const drawing = drawingIn(given)
  let pieces = 1
  while (drawing.next().done !== true) pieces += 1
  return pieces
}

test('a picture of many is drawn in many pieces, one of few in few', () => {
  const [few, many] = [piecesOf(chains(2)), piecesOf(chains(640))]
  expect(few).toBeLessThan(40)
  // Joined, assessed, measured and put into the graph: at least five times through all workloads or calls, 64 a piece.
  expect(many - few).toBeGreaterThanOrEqual(5 * (640 / 64))
})
