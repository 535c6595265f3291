import { afterAll, beforeEach, describe, test } from 'vitest'
import { removeCertificates } from './fault-certificates.ts'
import { lookUpAsTold } from './fault-name.ts'
import { faultRows } from './fault-rows.ts'
import { watchFault } from './watch-fault.ts'

afterAll(removeCertificates)

const rowsThatRun = (where: 'inThisProcess' | undefined) => faultRows.filter(({ runs }) => runs === where)

describe.concurrent('a cluster with a fault takes nothing of the others, says what is wrong, and comes back', () => {
  test.each(rowsThatRun(undefined))('$name', { timeout: 180_000 }, (row) => watchFault(row))
})

describe('the same of a server in this process', () => {
  beforeEach(lookUpAsTold)
  test.each(rowsThatRun('inThisProcess'))('$name', { timeout: 180_000 }, (row) => watchFault(row))
})
