import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes on the heap that are more than they were before this ran, garbage not counted. */
export function heldAfter(work: () => void): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const before = process.memoryUsage().heapUsed
  work()
  collect()
  return process.memoryUsage().heapUsed - before
}
