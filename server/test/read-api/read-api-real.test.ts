import { test } from 'vitest'
import { findEngines } from '../engines/find-engines.ts'
import { describeReadApi } from './describe-read-api.ts'

const found = findEngines(process.env)

// engines.test.ts fails where the engines are expected and not here.
if (!('missing' in found) && found.prometheus2 !== null) describeReadApi({ ...found, prometheus2: found.prometheus2 })
else test('needs a Prometheus 2 and a Prometheus 3 (npm run setup:engines)', () => undefined)
