import { afterEach, expect, test } from 'vitest'
import { json, startFakePrometheus } from '../support/fake-prometheus.ts'
import { startGoldseam } from '../support/start-goldseam.ts'

const started: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of started.splice(0).reverse()) await one.close()
})

interface Group {
  readonly name: string
  readonly file: string
  readonly rules: readonly { readonly name: string; readonly labels: object; readonly alerts?: unknown }[]
}

/** Clusters `east` and `west` with the same two groups; what is asked about texts is refused. */
async function rulesOver() {
  const ruleOf = (name: string, labels: object) => ({
    name,
    query: 'vector(1)',
    labels,
    type: 'alerting',
    alerts: null,
  })
  const groups = ['a', 'b'].map((name) => ({
    name,
    file: `${name}.yml`,
    rules: [ruleOf('Slow', { severity: 'page' }), ruleOf(`Down-${name}`, {})],
  }))
  const fake = await startFakePrometheus(({ path }, response) =>
    path.endsWith('/rules')
      ? json(response, 200, { status: 'success', data: { groups } })
      : json(response, 400, { status: 'error', errorType: 'bad_data', error: 'no selector' }),
  )
  started.push(fake)
  const named = (name: string) => `  - { name: ${name}, endpoints: [{ url: "${fake.url}/${name}" }] }\n`
  const goldseam = await startGoldseam(`log: { level: silent }\nclusters:\n${named('east')}${named('west')}`)
  started.push(goldseam)
  return async (given: string) => {
    const { status, body } = await goldseam.get(`/prometheus/api/v1/rules?${given}`)
    return { status, body: body as { data: { groups: Group[] }; error?: string } }
  }
}

test('alerts that are not wanted are null, as Prometheus 3 says it', async () => {
  const ask = await rulesOver()
  const { status, body } = await ask('exclude_alerts=true')
  expect(status).toBe(200)
  expect(body.data.groups).toHaveLength(4)
  expect(body.data.groups[0]?.rules[0]).toMatchObject({ labels: { severity: 'page', cluster: 'east' }, alerts: null })
})

test.each([
  ['rule_name[]=Slow', ['east:a.yml Slow', 'east:b.yml Slow', 'west:a.yml Slow', 'west:b.yml Slow']],
  ['rule_name[]=Slow&rule_group[]=b', ['east:b.yml Slow', 'west:b.yml Slow']],
  ['rule_name[]=nowhere', []],
  ['file[]=west:a.yml', ['west:a.yml Slow', 'west:a.yml Down-a']],
  ['rule_name[]=Slow&file[]=a.yml', ['east:a.yml Slow', 'west:a.yml Slow']],
  ['rule_group[]=a&match[]={severity="page",cluster="west"}', ['west:a.yml Slow']],
  ['rule_group[]=a&match[]={severity!~".%2B",cluster="west"}&match[]=up', ['west:a.yml Down-a']],
])('only what is wanted is told: %s', async (given, rules) => {
  const ask = await rulesOver()
  const { groups } = (await ask(given)).body.data
  expect(groups.flatMap(({ file, rules: some }) => some.map(({ name }) => `${file} ${name}`))).toEqual(rules)
})

test.each([
  ['group_limit=1', 'invalid parameter "group_limit": the groups of all clusters are not told in pages'],
  ['group_next_token=x', 'invalid parameter "group_next_token": the groups of all clusters are not told in pages'],
  ['match[]={}', 'match[] must contain at least one non-empty matcher'],
  ['match[]=up(', 'no selector'],
])('%s is refused', async (given, error) => {
  const ask = await rulesOver()
  expect(await ask(given)).toMatchObject({ status: 400, body: { error } })
})
