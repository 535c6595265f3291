import { expect, test } from 'vitest'
import { csvOf } from './save-file.ts'

test('cells are quoted where they must be, and formulas are text', () => {
  expect(
    csvOf(
      ['a', 'b'],
      [
        ['x,y', 'say "hi"'],
        ['=1+1', '-3.5'],
      ],
    ),
  ).toBe('a,b\r\n"x,y","say ""hi"""\r\n\'=1+1,-3.5\r\n')
})
