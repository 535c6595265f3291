import { expect, test } from 'vitest'
import { fillTemplate, fitsGlob } from './url-template.ts'

const values = { cluster: 'east', namespace: 'shop', name: 'a b/c?d=e&f#g', fromMs: '1763692800000' }

test.each([
  [
    'https://g.example.com/d?ns={namespace}&n={name}&from={fromMs}',
    'https://g.example.com/d?ns=shop&n=a%20b%2Fc%3Fd%3De%26f%23g&from=1763692800000',
  ],
  ['http://g.example.com/{cluster}/{namespace}', 'http://g.example.com/east/shop'],
  ['https://g.example.com/{nobody}', null],
  ['javascript:alert({cluster})', null],
  ['data:text/html,{cluster}', null],
  ['/{cluster}', null],
])('%s becomes %s', (template, filled) => {
  expect(fillTemplate(template, values)).toBe(filled)
})

test('a name cannot climb out of the path it is put in', () => {
  expect(fillTemplate('https://g.example.com/a/b/{name}/x', { name: '..' })).toContain('/a/b/%2E%2E/x')
  expect(fillTemplate('https://g.example.com/a/{name}', { name: '../../admin' })).toBe(
    'https://g.example.com/a/..%2F..%2Fadmin',
  )
})

test.each([
  ['*', 'anything', true],
  ['*/shop/*', 'east/shop/cart', true],
  ['*/shop/*', 'east/pay/tax', false],
  ['east/*', 'east/shop/cart', true],
  ['east', 'east', true],
  ['east', 'east2', false],
  ['a*a', 'a', false],
  ['*-v*-*', 'cart-v2-canary', true],
])('%s fits %s: %s', (glob, name, fits) => {
  expect(fitsGlob(glob, name)).toBe(fits)
})
