import { expect, test } from 'vitest'
import { labelNameOf } from './label-name.ts'

test.each([
  ['pod', 'pod'],
  ['a.b', 'a.b'],
  ['U__a_2e_b', 'a.b'],
  ['U__a__b_2F_c', 'a_b/c'],
  ['U___1f600_', '😀'],
  // Half a sign, too high, and what is not closed: such names stand for themselves.
  ['U___d800_', 'U___d800_'],
  ['U___110000_', 'U___110000_'],
  ['U__a_2e', 'U__a_2e'],
  ['U__a_xy_', 'U__a_xy_'],
])('%s names %s', (text, name) => {
  expect(labelNameOf(text)).toBe(name)
})

test.each(['U__', '', 'a/b'])('%s names nothing', (text) => {
  expect(() => labelNameOf(text)).toThrow(`invalid label name: "${text === 'a/b' ? text : ''}"`)
})
