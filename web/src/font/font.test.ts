import { readdirSync, readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'

const CSS = readFileSync(new URL('font.css', import.meta.url), 'utf8')
const DIST = new URL('../../dist/', import.meta.url)

/** The fonts that the scripts and sheets of a page name. */
function fontsOf(page: string): string[] {
  const read = (path: string) => readFileSync(new URL(`.${path}`, DIST), 'utf8')
  const files = read(`/${page}`).match(/\/assets\/[\w.-]+\.(?:js|css)/g) ?? []
  return files.flatMap((path) => read(path).match(/\/assets\/[\w.-]+\.woff2/g) ?? [])
}

test('the font that is brought along comes after all that a system may have', () => {
  const brought = /font-family: (".+?");/.exec(CSS)?.[1]
  const stack = /--font: (.+);/.exec(CSS)?.[1]?.split(', ')
  expect(stack?.slice(-3)).toEqual(['Arial', brought, 'sans-serif'])
})

test('no sheet of the pages has a font of its own', () => {
  const sheets = readdirSync(new URL('../', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(css|tsx?)$/.test(path) && !path.startsWith('font'))
    .filter((path) => /sans-serif|Arial|Roboto/.test(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')))
  expect(sheets).toEqual([])
})

test('all pages share one file of at most 60 kB', () => {
  const [own, ...others] = ['index.html', 'wall.html', 'wall-app.html'].map(fontsOf)
  expect(own).toHaveLength(1)
  for (const other of others) expect(other).toEqual(own)
  for (const file of own ?? []) expect(statSync(new URL(`.${file}`, DIST)).size).toBeLessThanOrEqual(60_000)
})
