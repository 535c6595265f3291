import { test } from 'vitest'
import { findEngines } from '../engines/find-engines.ts'
import { describeWhole } from './describe-whole.ts'

const found = findEngines(process.env)

// engines.test.ts fails where the engines are expected and not here.
if (!('missing' in found)) describeWhole(found)
else test('needs a Prometheus 3 and a Thanos (npm run setup:engines)', () => undefined)
