import { expect, test } from 'vitest'
import { createDirector } from './director.ts'
import type { PhasePlan } from './scenarios/scenario.ts'

const phase = (name: string, durationSeconds: number, users: PhasePlan['users']): PhasePlan => ({
  name,
  title: name,
  text: '',
  durationSeconds,
  users,
  changes: {},
})
const PHASES = [
  phase('calm', 300, [{ afterSeconds: 0, users: 30 }]),
  phase('ramp', 120, [
    { afterSeconds: 0, users: 80 },
    { afterSeconds: 10, users: 140 },
    { afterSeconds: 20, users: 200 },
  ]),
  phase('scaled', 75, [{ afterSeconds: 0, users: 200 }]),
]

function setUp(timerOn = true) {
  let now = 1000
  const entered: string[] = []
  const users: number[] = []
  const director = createDirector({
    phases: PHASES,
    timerOn,
    nowSeconds: () => now,
    enter: async (next, loop) => {
      entered.push(`${next.name} ${loop}`)
    },
    setUsers: (wanted) => users.push(wanted),
  })
  return {
    director,
    entered,
    users,
    async pass(seconds: number) {
      for (let i = 0; i < seconds; i++) {
        now++
        await director.tick()
      }
    },
  }
}

test('plays the phases in turn and begins again with the next round', async () => {
  const { director, entered, pass } = setUp()
  await pass(300 + 120 + 75 + 10)
  expect(entered).toEqual(['ramp 1', 'scaled 1', 'calm 2'])
  expect(director.state().phaseEndsAt).toBe(1000 + 495 + 300)
})

test('steps the users within a phase', async () => {
  const { users, pass } = setUp()
  await pass(330)
  expect(users).toEqual([30, 80, 140, 200])
})

test('without a timer it stays until told', async () => {
  const { director, entered, pass } = setUp(false)
  await pass(5000)
  expect(entered).toEqual([])
  expect(await director.goTo('scaled')).toBe(true)
  expect(await director.goTo('nonsense')).toBe(false)
  await pass(5000)
  expect(entered).toEqual(['scaled 1'])
})

test('a timer switched on gives the phase its whole time', async () => {
  const { director, entered, pass } = setUp(false)
  await pass(5000)
  director.setTimer(true)
  await pass(299)
  expect(entered).toEqual([])
  await pass(1)
  expect(entered).toEqual(['ramp 1'])
})

test('asked and timed at once, it changes once', async () => {
  const { director, entered, pass } = setUp()
  await pass(299)
  await Promise.all([director.goTo('ramp'), director.tick()])
  await pass(1)
  expect(entered).toEqual(['ramp 1'])
})
