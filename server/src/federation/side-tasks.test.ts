import { expect, test } from 'vitest'
import { SideTasks } from './side-tasks.ts'

/** Tasks that take so many query seconds each, or bring nothing after as many; they are always due. */
function tasks(...given: readonly { readonly seconds: number; readonly answered: boolean }[]) {
  let spent = 0
  const runs = given.map(() => 0)
  const all = given.map(({ seconds, answered }, index) => ({
    dueAt: (nowSeconds: number) => nowSeconds - given.length + index,
    async run() {
      spent += seconds
      runs[index] = (runs[index] ?? 0) + 1
      return answered
    },
  }))
  return { side: new SideTasks(() => spent, all, 0.2), runs }
}

test('what was waited for in vain does not hold up the others for minutes', async () => {
  const { side, runs } = tasks({ seconds: 10, answered: false }, { seconds: 0.01, answered: false })
  await side.tick(1_000)
  expect(runs).toEqual([1, 1])
  await side.tick(1_010)
  expect(runs).toEqual([2, 2])
})

test('what was answered is paid for before the next one', async () => {
  const { side, runs } = tasks({ seconds: 10, answered: true })
  await side.tick(1_000)
  await side.tick(1_100)
  expect(runs).toEqual([1])
  // A twentieth of each second.
  await side.tick(1_181)
  expect(runs).toEqual([2])
})

test('a clock that was set back takes nothing of what was saved', async () => {
  const { side, runs } = tasks({ seconds: 0.5, answered: true })
  await side.tick(10_000)
  expect(runs).toEqual([2])
  await side.tick(6_400)
  await side.tick(6_421)
  expect(runs).toEqual([4])
})
