import { test } from 'vitest'
import { describeVictoriaNumbers } from './describe-victoria-numbers.ts'
import { describeVictoriaServer } from './describe-victoria-server.ts'
import { findEngines } from './find-engines.ts'

const found = findEngines(process.env)

// engines.test.ts says what is missing, and fails where it must not be.
if (!('missing' in found) && found.victoriaMetrics !== null) {
  describeVictoriaNumbers(found.victoriaMetrics, found.prometheus3)
  describeVictoriaServer(found.victoriaMetrics, found.prometheus3)
} else test('needs Prometheus 3 and VictoriaMetrics (npm run setup:engines)', () => undefined)
