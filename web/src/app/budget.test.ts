import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const DIST = new URL('../../dist/', import.meta.url)

/** Compressed, of the files that the page names itself: what the first look at the fleet waits for. */
function bytesOf(extension: string): number {
  const html = readFileSync(new URL('index.html', DIST), 'utf8')
  const paths = [...html.matchAll(/\/assets\/[\w.-]+/g)]
    .map(([path]) => path)
    .filter((path) => path.endsWith(extension))
  expect(paths.length).toBeGreaterThan(0)
  return paths.reduce((sum, path) => sum + gzipSync(readFileSync(new URL(`.${path}`, DIST))).length, 0)
}

test('the first look at the fleet waits for at most 170 kB of scripts, without charts, and 12 kB of styles', () => {
  expect(bytesOf('.js')).toBeLessThanOrEqual(170_000)
  expect(bytesOf('.css')).toBeLessThanOrEqual(12_000)
})
