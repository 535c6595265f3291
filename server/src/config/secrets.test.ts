import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Check } from './secret-checks.ts'
import { createSecrets } from './secrets.ts'

const directory = mkdtempSync(join(tmpdir(), 'goldseam-secrets-'))
afterAll(() => rmSync(directory, { recursive: true }))

const holding =
  (word: string): Check =>
  (text) =>
    text.includes(word) ? null : `holds no ${word}`

test('one file may have to be two things: each keeps the last text that was good for it', async () => {
  let nowSeconds = 0
  const secrets = createSecrets(directory, () => nowSeconds)
  const [certificate, key] = [holding('certificate'), holding('key')]
  const told: (string | null)[] = []
  secrets.watch((_, wrong) => told.push(wrong))
  const both = () => Promise.all([secrets.read('pair', certificate), secrets.read('pair', key)])
  const write = (text: string) => writeFileSync(join(directory, 'pair'), text)
  write('certificate 1, key 1')
  expect(await both()).toEqual(['certificate 1, key 1', 'certificate 1, key 1'])
  write('certificate 2')
  nowSeconds = 61
  expect(await both()).toEqual(['certificate 2', 'certificate 1, key 1'])
  expect(told).toEqual(['pair holds no key'])
  write('certificate 2, key 2')
  // What was good is a moment old, what was not is looked at again.
  expect(await both()).toEqual(['certificate 2', 'certificate 2, key 2'])
  secrets.lookAgain('pair')
  expect(await both()).toEqual(['certificate 2, key 2', 'certificate 2, key 2'])
  expect(told).toEqual(['pair holds no key', null])
})
