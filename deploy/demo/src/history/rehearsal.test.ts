import { expect, test } from 'vitest'
import { createCampus } from '../scenarios/campus.ts'
import { rehearse } from './rehearsal.ts'

test('in the rehearsed pace every edge carries what its callee receives, and requests equal answers', async () => {
  const pace = await rehearse(createCampus('directory'), new AbortController().signal)
  const perSecond = (name: string, ...labels: string[]) => {
    let sum = 0
    for (const cells of pace.values()) {
      for (const cell of cells.values()) {
        const isWanted = cell.key.startsWith(`${name}{`) && labels.every((label) => cell.key.includes(label))
        if (isWanted) sum += cell.perSecond[0] ?? 0
      }
    }
    return sum
  }
  const called = perSecond('request_total', 'direction="outbound"', 'dst_deployment="directory"')
  const received = perSecond('response_total', 'direction="inbound"', 'authority="directory.')
  expect(called).toBeGreaterThan(9)
  expect(received).toBeCloseTo(called, 9)
  const overTheSeam = perSecond('request_total', 'direction="outbound"', 'target_addr="203.0.113.20:80"')
  expect(called).toBeCloseTo(overTheSeam, 9)
  expect(perSecond('response_total', 'target_port="4191"', 'route_name="probe"') / pace.size).toBeCloseTo(0.1, 9)
})
