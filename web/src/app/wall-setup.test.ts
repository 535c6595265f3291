import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { systemdUnit, wallAddress } from './wall-setup.ts'

test('the unit of the dialog is the one in deploy/wall', () => {
  const address = wallAddress('https://goldseam.example.com', { inch: '55', dist: '4' }, null)
  const unit = new URL('../../../deploy/wall/goldseam-wall.service', import.meta.url)
  expect(systemdUnit(address)).toBe(readFileSync(unit, 'utf8'))
})

test.each([
  { values: {}, token: null, want: 'http://h/wall' },
  { values: { inch: ' ', c: 'east,west' }, token: null, want: 'http://h/wall?c=east,west' },
  { values: { pages: 'east+west,north' }, token: 'gsw_x', want: 'http://h/wall?pages=east+west,north#token=gsw_x' },
  { values: { ns: 'shop', theme: 'light', safe: '0' }, token: null, want: 'http://h/wall?ns=shop&safe=0&theme=light' },
  { values: { c: 'a&b=c' }, token: null, want: 'http://h/wall?c=a%26b%3Dc' },
])('address of $values', ({ values, token, want }) => {
  expect(wallAddress('http://h', values, token)).toBe(want)
})

test('systemd takes a per cent sign for its own', () => {
  const unit = systemdUnit(wallAddress('http://h', { c: 'a&b' }, null))
  expect(unit).toContain('"http://h/wall?c=a%%26b"')
})
