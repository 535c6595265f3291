import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const DIST = new URL('../../dist/', import.meta.url)

/** The files that a page names itself: a wall loads nothing else. */
function filesOf(page: string): { name: string; text: string }[] {
  const html = readFileSync(new URL(page, DIST), 'utf8')
  return [...html.matchAll(/\/assets\/[\w.-]+\.(?:js|css)/g)].map(([path]) => ({
    name: path,
    text: readFileSync(new URL(`.${path}`, DIST), 'utf8'),
  }))
}

test('the picture is one script of at most 110 kB', () => {
  const scripts = filesOf('wall-app.html').filter(({ name }) => name.endsWith('.js'))
  expect(scripts).toHaveLength(1)
  const [{ text } = { text: '' }] = scripts
  expect(gzipSync(text).length).toBeLessThanOrEqual(110_000)
  expect(text).not.toMatch(/\bimport\(/)
})

test('the shell is one small script', () => {
  const files = filesOf('wall.html')
  expect(files).toHaveLength(1)
  expect(gzipSync(files[0]?.text ?? '').length).toBeLessThanOrEqual(6_000)
  expect(readdirSync(new URL('assets/', DIST)).length).toBeGreaterThan(2)
})
