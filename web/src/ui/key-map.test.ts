import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { KEY_MAP } from './key-map.ts'

const SOURCES = join(import.meta.dirname, '..')
const text = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\./.test(name))
  .map((name) => readFileSync(join(SOURCES, name), 'utf8'))
  .join('\n')

test.each(Object.keys(KEY_MAP))('the key %s of the help sheet does something', (key) => {
  expect(text.includes(`useKey('${key}',`)).toBe(true)
})
