import { expect, test } from 'vitest'
import { follow } from './follow.ts'

test('ends with the signal, for its reason, until it leaves', () => {
  const [first, second] = [new AbortController(), new AbortController()]
  const [follower, gone] = [new AbortController(), new AbortController()]
  follow(first.signal, follower)
  follow(first.signal, gone)()
  first.abort(new Error('over'))
  expect(follower.signal.reason).toEqual(new Error('over'))
  expect(gone.signal.aborted).toBe(false)
  second.abort(new Error('before'))
  const late = new AbortController()
  follow(second.signal, late)
  expect(late.signal.reason).toEqual(new Error('before'))
})
