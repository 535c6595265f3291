import type { Suspect, WorkloadDetail } from '@goldseam/server/contract'
import { expect, test } from 'vitest'
import { D, fleet, X } from '../../../test/incident.ts'
import { workloadVerdict } from './workload-verdict.ts'

const workload = fleet.workloads.find(({ id }) => id === X)
const [prime] = fleet.suspects
if (workload === undefined || prime === undefined) throw new Error('the incident has a victim and a suspect')

const detail = (suspect: Partial<Suspect>, finding: WorkloadDetail['finding']): WorkloadDetail =>
  ({
    ...fleet,
    workload,
    suspects: [{ ...prime, ...suspect }],
    deltaSeconds: 0.754,
    finding,
  }) as unknown as WorkloadDetail

test('one suspect is told in the words of the page', () => {
  expect(workloadVerdict(detail({ kind: 'workload' }, fleet.verdict))).toEqual({
    tone: 'elsewhere',
    text: expect.stringMatching(
      /^storefront is slow because of stock\/ledger \(west\)\. ledger's own time is .* of the 754 ms/,
    ),
  })
})

test.each<[string, Partial<Suspect>]>([
  ['several calls over a seam', { kind: 'link', alike: ['east/a/b~west/c/d'] }],
  ['a circle', { kind: 'workload', alike: [D] }],
  ['what nobody measures', { kind: 'beyond' }],
])('%s is told as in the one sentence', (_, suspect) => {
  const text = 'shop/storefront (east) is slow because of what that sentence says.'
  expect(workloadVerdict(detail(suspect, { ...fleet.verdict, text }))).toEqual({ tone: 'elsewhere', text })
})

test('nobody is named whom the one sentence does not name', () => {
  const finding = { ...fleet.verdict, form: 'unknown' as const, text: 'I cannot say why.', suspect: null }
  expect(workloadVerdict(detail({}, finding))).toEqual({ tone: 'unknown', text: 'I cannot say why.' })
})

test('of one whose cluster is silent for days it is said for how long, not since which date', () => {
  const old = { ...workload, truth: 'stale' as const, health: 'none' as const, ageSeconds: 3 * 86_400 }
  const text = `${old.cluster} has not answered for 3 d: ${old.name}'s last good values.`
  expect(workloadVerdict({ ...detail({}, null), workload: old, suspects: [] })).toEqual({ tone: 'none', text })
})
