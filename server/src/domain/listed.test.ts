import { expect, test } from 'vitest'
import { listed, mapListed } from './listed.ts'

test('items are made as they are gone through, anew each time', () => {
  const made: number[] = []
  const items = listed(3, (index) => {
    made.push(index)
    return { index }
  })
  expect([items.length, made]).toEqual([3, []])
  const [first] = items
  expect([first, made]).toEqual([{ index: 0 }, [0]])
  expect([...items]).toEqual([{ index: 0 }, { index: 1 }, { index: 2 }])
  expect(made).toEqual([0, 0, 1, 2])
})

test('what is made of them is as many, of arrays too, and gives back their memory', () => {
  let freed = 0
  const doubled = mapListed(
    listed(
      3,
      (index) => index,
      () => {
        freed += 1
      },
    ),
    (item) => 2 * item,
  )
  expect([doubled.length, ...doubled]).toEqual([3, 0, 2, 4])
  doubled.free?.()
  expect(freed).toBe(1)
  expect([...mapListed(['a'], (text) => `${text}b`)]).toEqual(['ab'])
})
