import { expect, test } from 'vitest'
import { pageMeta, withMeta } from './page-meta.ts'

const AT = Date.UTC(2026, 10, 21, 3, 31) / 1_000
const verdict = {
  atSeconds: AT,
  text: 'shop/web (east) is slow because of stock/db (west).',
  named: ['east/shop/web', 'west/stock/db'],
}
const page = (path: string) => new URL(path, 'http://page')

test.each([
  ['/fleet', 'Fleet - Goldseam', `21 Nov 03:31 UTC: ${verdict.text}`],
  ['/', 'Goldseam', `21 Nov 03:31 UTC: ${verdict.text}`],
  ['/d/west/stock/db?from=now-1h', 'stock/db (west) - Goldseam', `21 Nov 03:31 UTC: ${verdict.text}`],
  ['/d/east/pay/tax', 'pay/tax (east) - Goldseam', `21 Nov 03:31 UTC: ${verdict.text} east/pay/tax is not part of it.`],
  ['/triage?to=2026-11-21T03:30:20Z', 'Triage - Goldseam', `21 Nov 03:31 UTC: ${verdict.text}`],
  ['/triage?to=2026-11-20T03:30Z', 'Triage - Goldseam', 'Frozen view, 20 Nov 03:30 UTC'],
])('%s: what is known already, of that moment only', (path, title, description) => {
  expect(pageMeta(page(path), verdict, null)).toEqual({ title, description })
})

test('nothing is known yet, and addresses may be anything', () => {
  expect(pageMeta(page('/map'), null, null).description).toMatch(/^Golden signals/)
  expect(pageMeta(page('/d/%E0%A4%A/x/y'), verdict, null).title).toBe('Goldseam')
  expect(pageMeta(page('/fleet?to=garbage'), verdict, null).description).toMatch(/^Golden signals/)
  expect(pageMeta(page(`/d/a/b/${'x'.repeat(5_000)}`), verdict, null).title.length).toBeLessThan(330)
})

test('names come out of addresses: nothing of them becomes markup', () => {
  const meta = pageMeta(page(`/d/west/shop/${encodeURIComponent('"><script>alert(1)</script>$&\n\'')}`), verdict, null)
  const html = withMeta('<html><head><title>G</title></head><body></body></html>', meta)
  expect(html).not.toContain('<script>')
  expect(html).toContain('og:title" content="shop/&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;$&amp; &#39; (west)')
  expect(html.match(/<\/head>/g)).toHaveLength(1)
})
