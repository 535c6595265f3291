import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { composeKept } from './compose-kept.ts'
import { KnownNames, type Names } from './federation/known-names.ts'
import { createLogger } from './telemetry/logger.ts'

const DAY = 86_400

let directory = ''
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'goldseam-kept-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const started = () => composeKept('kept', directory, createLogger({ level: 'silent' }), () => 0)

test('which clusters there were is known again after days; the values of one are not', async () => {
  const before = started()
  await before.keeper('last good values of east').save(() => 'value')
  await new KnownNames(before.lastingKeeper<Names>('clusters by cluster'), 30 * DAY).note(new Map([['east', 0]]), 0)
  const threeDaysAgo = Date.now() / 1_000 - 3 * DAY
  for (const name of await readdir(join(directory, 'kept')))
    await utimes(join(directory, 'kept', name), threeDaysAgo, threeDaysAgo)

  const after = started()
  expect(await after.keeper('last good values of east').load()).toBeNull()
  const known = (days: number) => new KnownNames(after.lastingKeeper<Names>('clusters by cluster'), days * DAY)
  expect([...(await known(30).recall(3 * DAY)).keys()]).toEqual(['east'])
  expect([...(await known(2).recall(3 * DAY)).keys()]).toEqual([])
})
