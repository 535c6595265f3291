import { expect, test } from 'vitest'
import { linkerd } from './linkerd.ts'

/** Linkerd 2.17 and later name what a request without a service went to: a pod that was dialled, or nothing it knows. */
test('who asks a pod for a host has called a workload of the mesh, and nothing outside', () => {
  const egress = linkerd.questions(60).filter(({ promql }) => promql.includes('hostname'))
  expect(egress.map(({ name }) => name)).toEqual(['egress', 'egressBuckets'])
  for (const { promql } of egress) {
    const selectors = promql.match(/outbound_\w+\{[^}]*\}/g) ?? []
    expect(selectors.length).toBeGreaterThan(1)
    for (const selector of selectors) expect(selector).toContain('parent_name!="endpoint"')
  }
})
