import { describe, test } from 'vitest'
import { faultRows } from './fault-rows.ts'
import { watchFault } from './watch-fault.ts'

// One after the other, and in a process of their own: while their hundreds of megabytes are sent nothing else is young.
describe('an answer that is too large', () => {
  test.each(faultRows.filter(({ runs }) => runs === 'alone'))('$name', { timeout: 180_000 }, (row) => watchFault(row))
})
