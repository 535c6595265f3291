import { expect, test } from 'vitest'
import { metricsRead } from '../../src/dialects/metrics-read.ts'
import { dialectsFor } from '../../src/dialects/registry.ts'

const workloads = [{ cluster: 'east', namespace: 'shop', kind: 'deployment', name: 'web' }]

test('an override of any metric that is read changes what is asked, and of no other', () => {
  const asked = (overrides: Record<string, string>) =>
    dialectsFor({ named: 'auto', peers: () => [], overrides })
      .flatMap((dialect) => [...dialect.questions(60), dialect.edgeQuestion(60, workloads)])
      .map((question) => question?.promql)
      .join('\n')
  const plain = asked({})
  const metrics = metricsRead()
  expect(metrics.size).toBeGreaterThan(50)
  for (const metric of metrics) expect(asked({ [metric]: 'team:renamed' }), metric).not.toBe(plain)
  for (const metric of ['istio_request_total', 'kube_pod_info']) {
    expect(metrics.has(metric)).toBe(false)
    expect(asked({ [metric]: 'team:renamed' })).toBe(plain)
  }
})
