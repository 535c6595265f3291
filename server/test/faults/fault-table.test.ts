import { afterAll, beforeEach, describe, test } from 'vitest'
import { removeCertificates } from './fault-certificates.ts'
import { lookUpAsTold } from './fault-name.ts'
import { type FaultRow, faultRows } from './fault-rows.ts'
import { watchFault } from './watch-fault.ts'

afterAll(removeCertificates)

/** Servers that may start beside one that is held to its times: more of them leave it no processor. */
const AT_ONCE = 7

const isLong = ({ opensBreaker, pattern }: FaultRow) => opensBreaker === true || pattern !== undefined
const rowsThatRun = (where: 'inThisProcess' | undefined) => faultRows.filter(({ runs }) => runs === where)
// Those that take longest side by side, so that none is waited for by itself.
const besideOthers = rowsThatRun(undefined).sort((a, b) => Number(isLong(b)) - Number(isLong(a)))

describe('a cluster with a fault takes nothing of the others, says what is wrong, and comes back', () => {
  for (let first = 0; first < besideOthers.length; first += AT_ONCE) {
    describe(`rows from ${first + 1} on`, () => {
      const some = besideOthers.slice(first, first + AT_ONCE)
      test.concurrent.each(some)('$name', { timeout: 300_000 }, (row) => watchFault(row))
    })
  }
})

describe('the same of a server in this process', () => {
  beforeEach(lookUpAsTold)
  test.each(rowsThatRun('inThisProcess'))('$name', { timeout: 300_000 }, (row) => watchFault(row))
})
