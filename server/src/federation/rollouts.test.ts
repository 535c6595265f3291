import { expect, test } from 'vitest'
import { emptyTraffic } from '../domain/traffic.ts'
import { rolloutEvents } from './rollouts.ts'

const axis = { fromSeconds: 0, stepSeconds: 30, steps: 10 }

function pod(name: string, from: number, to = 9) {
  const traffic = emptyTraffic(axis.steps)
  for (let step = from; step <= to; step += 1) traffic.success[step] = 1
  return { name, traffic }
}

test('another template hash where one was before is a rollout; another pod of the same hash is not', () => {
  const pods = [
    pod('cart-7c9f4d-aaaaa', 0, 5),
    pod('cart-7c9f4d-bbbbb', 3),
    pod('cart-5d8f9c-ccccc', 6),
    pod('cart-5d8f9c-ddddd', 7),
  ]
  expect(rolloutEvents(pods, 'cart', { axis })).toEqual([
    { atSeconds: 180, kind: 'rollout', text: 'pods of 5d8f9c began to report (before: 7c9f4d)' },
  ])
})

test('what was there from the beginning is none, nor what is new altogether', () => {
  expect(rolloutEvents([pod('cart-7c9f4d-aaaaa', 0), pod('cart-5d8f9c-bbbbb', 0)], 'cart', { axis })).toEqual([])
  expect(rolloutEvents([pod('cart-7c9f4d-aaaaa', 4)], 'cart', { axis })).toEqual([])
})
