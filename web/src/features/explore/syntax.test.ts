import { expect, test } from 'vitest'
import { asksForAll, metricIn } from './syntax.ts'

test.each([
  ['up', 'up'],
  ['sum by (le) (rate(response_latency_ms_bucket{direction="inbound"}[1m]))', 'response_latency_ms_bucket'],
  ['{__name__="up{"}', null],
  ['vector(1) # of{no="metric"}', null],
  ['1 + 1', null],
])('the metric of %s is %s', (promql, metric) => {
  expect(metricIn(promql)).toBe(metric)
})

test.each([
  ['histogram_quantile(0.99, sum by (le) (rate(x_bucket[1m])))', true],
  ['1000 * histogram_quantile(0.99, (sum(rate(x[1m]))))', true],
  ['histogram_quantile(0.99, sum without (cluster, pod) (x_bucket))', true],
  ['histogram_quantile(0.99, sum without (pod) (x_bucket))', false],
  ['histogram_quantile(0.99, sum by (le, cluster) (x_bucket))', false],
  ['histogram_quantile(0.99, max by (le) (x_bucket{job="sum by (le)"}))', false],
  ['sum(up) # histogram_quantile(0.9, up)', false],
  ['sum(histogram_quantile(0.9, x_bucket))', false],
])('%s has an answer over all clusters as well: %s', (promql, expected) => {
  expect(asksForAll(promql)).toBe(expected)
})
