import { expect, test } from 'vitest'
import { previewSvg } from './preview-svg.ts'

const shown = (svg: string) => [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text)

test('the words of a preview, broken at spaces', () => {
  const description = '21 Nov 03:31 UTC: shop/storefront (east) is slow because of stock/ledger (west), 3 calls down.'
  const [product, title, ...body] = shown(previewSvg({ title: 'shop/storefront (east) - Goldseam', description }))
  expect([product, title]).toEqual(['Goldseam', 'shop/storefront (east) - Goldseam'])
  expect(body.length).toBeGreaterThan(1)
  expect(body.join(' ')).toBe(description)
})

test('whatever the words are, they become neither markup nor more lines than there is room for', () => {
  const hostile = `</text><script>&\u0000${'x'.repeat(5_000)}`
  const svg = previewSvg({ title: hostile, description: `${hostile} ${'word '.repeat(500)}` })
  expect(svg).not.toContain('<script')
  expect(svg).not.toContain('\u0000')
  const lines = shown(svg)
  expect(lines).toHaveLength(1 + 2 + 5)
  expect(lines[2]).toMatch(/x\.\.\.$/)
  expect(lines.at(-1)).toMatch(/\.\.\.$/)
  const lowest = Math.max(...[...svg.matchAll(/ y="(\d+)"/g)].map(([, y]) => Number(y)))
  expect(lowest).toBeLessThan(600)
})
