import { describe, test } from 'vitest'
import * as answers from './answer-faults.ts'
import { type FaultRow, watchFault } from './watch-fault.ts'

const rows: readonly FaultRow[] = [
  {
    name: '200 MB',
    fault: answers.hugeBody,
    why: 'tooLarge',
    detail: 'the answer is larger than 50331648 bytes; raise limits.maxResponseBytes or use recording rules',
    timeoutSeconds: 10,
    seconds: 2,
  },
  {
    name: 'a million tiny series',
    fault: answers.millionSeries,
    why: 'tooLarge',
    detail: 'more than 500000 series in one answer; raise limits.maxSeries or use recording rules',
    timeoutSeconds: 10,
    seconds: 2,
  },
  {
    name: 'a gzip bomb',
    fault: answers.gzipBomb,
    why: 'tooLarge',
    detail: 'the answer is larger than 50331648 bytes; raise limits.maxResponseBytes or use recording rules',
    timeoutSeconds: 10,
    seconds: 2,
  },
]

// One after the other, and in a process of their own, so that memory is that of the one.
describe('an answer that is too large', () => {
  test.each(rows)('$name', { timeout: 180_000 }, (row) => watchFault(row))
})
