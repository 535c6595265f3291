import { expect, test } from 'vitest'
import { createLogger } from './logger.ts'
import { createTroubleLog } from './trouble-log.ts'

function started() {
  const lines: Record<string, unknown>[] = []
  const clock = { seconds: 10_000 }
  const logger = createLogger({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line)) })
  const { note } = createTroubleLog(logger, () => clock.seconds)
  const trouble = (why: string) => ({ what: 'everything', why, detail: `${why} in words`, sinceSeconds: 9_990 })
  return {
    clock,
    lines,
    bad: (why: string) => note('east', trouble(why)),
    good: () => note('east', null),
    told: () => lines.map(({ msg, why }) => `${msg === 'cluster answers again' ? 'well' : 'bad'} ${why}`),
  }
}

test('one line for a cause, one when it is over', () => {
  const { bad, good, lines, clock } = started()
  for (let second = 0; second < 300; second += 1) {
    clock.seconds += 1
    bad('timeout')
  }
  good()
  good()
  expect(lines).toMatchObject([
    {
      level: 40,
      msg: 'cluster does not answer as it should',
      cluster: 'east',
      what: 'everything',
      why: 'timeout',
      detail: 'timeout in words',
      since: '1970-01-01T02:46:30.000Z',
    },
    { level: 30, msg: 'cluster answers again', cluster: 'east', why: 'timeout', troubledSeconds: 310 },
  ])
})

test('another cause is told at once, the first again only after a minute', () => {
  const { bad, told, clock } = started()
  for (let second = 0; second < 50; second += 1) {
    clock.seconds += 1
    bad(second % 2 === 0 ? 'timeout' : 'tls')
  }
  expect(told()).toEqual(['bad timeout', 'bad tls'])
  clock.seconds += 60
  bad('timeout')
  expect(told()).toEqual(['bad timeout', 'bad tls', 'bad timeout'])
})

test('coming and going each second for ten minutes: at most one line a minute and kind', () => {
  const { bad, good, told, clock } = started()
  for (let second = 0; second < 600; second += 1) {
    clock.seconds += 1
    if (second % 2 === 0) bad('unreachable')
    else good()
  }
  expect(told().filter((line) => line.startsWith('bad')).length).toBeLessThanOrEqual(10)
  expect(told().filter((line) => line.startsWith('well')).length).toBeLessThanOrEqual(10)
  expect(told().slice(0, 2)).toEqual(['bad unreachable', 'well unreachable'])
})

test('nothing to tell while all is well', () => {
  const { good, told } = started()
  good()
  expect(told()).toEqual([])
})

test('a clock that is set back silences nothing', () => {
  const { bad, good, told, clock } = started()
  bad('timeout')
  good()
  clock.seconds -= 3_600
  bad('timeout')
  good()
  expect(told()).toEqual(['bad timeout', 'well timeout', 'bad timeout', 'well timeout'])
})
