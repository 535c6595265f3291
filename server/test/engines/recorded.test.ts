import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../scripts/free-ports.mjs'
import type { Question, SeriesColumn } from '../../src/dialects/dialect.ts'
import { linkerd } from '../../src/dialects/linkerd.ts'
import {
  DECLARATION,
  type RecordedUse,
  recordedName,
  recordedUse,
  recordingGroups,
} from '../../src/dialects/recording.ts'
import { dialectsFor } from '../../src/dialects/registry.ts'
import { allLabels } from '../../src/domain/apart.ts'
import { collectInstant, collectRange } from '../../src/federation/collect.ts'
import { Detection } from '../../src/federation/detection.ts'
import { readRecorded } from '../../src/federation/recorded-rules.ts'
import type { ClusterPrometheus } from '../../src/prometheus/create-prometheus.ts'
import { eventually } from '../support/eventually.ts'
import { findEngines } from './find-engines.ts'
import { clientOf } from './ours.ts'
import { type Program, startProgram } from './program.ts'
import { remoteWrite } from './remote-write.ts'
import { drawWorld } from './world.ts'

const WINDOW_SECONDS = 60
/** Recorded and raw values are the same sums, added up in another order. */
const FLOAT_NOISE = 1e-12
/** Instants of a range, a second apart. */
const STEPS = 3
const found = findEngines(process.env)

// engines.test.ts says what is missing, and fails where it must not be.
if (!('missing' in found)) describe('the recording rules in a real Prometheus', () => suite(found.prometheus3))
else test('needs Prometheus 3 and Thanos (npm run setup:engines)', () => undefined)

function suite(binary: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'goldseam-recorded-'))
  /** From when it asks. */
  const signal = () => AbortSignal.timeout(120_000)
  let program: Program
  let client: ClusterPrometheus
  let questions: readonly Question[] = []
  let use: RecordedUse | null
  let url = ''
  /** Instants at which the rules were evaluated, oldest first. */
  let evaluated: Record<Question['lane'], number[]>
  /** From here on every series has its first values. */
  let complete = 0

  beforeAll(async () => {
    // One rule a second; one of them is missing, as after a rule file of another version.
    const groups = recordingGroups(linkerd, WINDOW_SECONDS, { fast: 1, slow: 1 }).map(({ name, rules }) => ({
      name,
      interval: '1s',
      rules: rules.filter(({ record }) => !record.includes('_pods:')),
    }))
    writeFileSync(join(folder, 'rules.yaml'), JSON.stringify({ groups }))
    writeFileSync(join(folder, 'prometheus.yml'), 'rule_files: [rules.yaml]\n')
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    program = await startProgram(
      binary,
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--web.enable-remote-write-receiver',
        '--log.level=warn',
      ],
      `${url}/-/ready`,
    )
    // Written ahead, so that nothing is added to a window after it was evaluated.
    const startSeconds = Math.floor(Date.now() / 1_000) - 180
    const { series, met } = drawWorld({
      graphSeed: 31,
      seed: 32,
      timeline: { startSeconds, stepSeconds: 10, steps: 36 },
      le: (bound) => (bound === Number.POSITIVE_INFINITY ? '+Inf' : bound.toFixed(1)),
    })
    expect(met.resets).toBeGreaterThan(5)
    await remoteWrite(url, series)
    // The rules ran before as well, over nothing or over half of it; each lane has its own moment within a second.
    const writtenSeconds = Date.now() / 1_000
    client = clientOf('east', [url])
    complete = await eventually(async () => {
      const firsts = [await instants('fast'), await instants('slow')].map((all) => firstFinished(writtenSeconds, all))
      return Math.max(...firsts)
    })
    const detection = new Detection(client, [linkerd], false)
    await detection.prepare(complete, signal())
    use = detection.recordedUse(WINDOW_SECONDS)
    questions = detection.dialects.flatMap((dialect) => dialect.questions(WINDOW_SECONDS))
    await eventually(async () => {
      evaluated = { fast: await instants('fast'), slow: await instants('slow') }
      for (const lane of ['fast', 'slow'] as const) {
        expect(runsOf(STEPS, evaluated[lane], complete)).not.toEqual([])
      }
    })
  })
  afterAll(async () => {
    await client?.close()
    await program?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function instants(lane: Question['lane']): Promise<number[]> {
    const query = new URLSearchParams({ query: `${DECLARATION}{lane="${lane}"}[1m]` })
    const answer = (await (await fetch(`${url}/api/v1/query?${query}`)).json()) as {
      data: { result: { values: [number, string][] }[] }
    }
    return answer.data.result.flatMap(({ values }) => values.map(([at]) => at))
  }

  const raw = (question: Question): Question => ({ name: question.name, promql: question.promql, lane: question.lane })
  /** The client, and what it was asked through this. */
  const overheard = () => {
    const asked: string[] = []
    const query: ClusterPrometheus['query'] = (promql, at, cancel) => {
      asked.push(promql)
      return client.query(promql, at, cancel)
    }
    return { asked, api: { ...client, query } }
  }
  const byLabels = (series: Iterable<SeriesColumn> | undefined) =>
    new Map([...(series ?? [])].map((one) => [JSON.stringify(Object.entries(allLabels(one)).sort()), one.values]))

  function expectSame(ours: Iterable<SeriesColumn> | undefined, theirs: Iterable<SeriesColumn> | undefined): number {
    const [recorded, asked] = [byLabels(ours), byLabels(theirs)]
    expect([...recorded.keys()].sort()).toEqual([...asked.keys()].sort())
    for (const [labels, values] of asked) {
      values.forEach((value, step) => {
        const other = recorded.get(labels)?.[step] ?? Number.NaN
        const error = Math.abs(other - value) / Math.max(Math.abs(value), Number.MIN_VALUE)
        const same = Number.isNaN(value) ? Number.isNaN(other) : value === other || error <= FLOAT_NOISE
        expect(same, `${labels} at step ${step}: recorded ${other}, raw ${value}`).toBe(true)
      })
    }
    return asked.size
  }

  test('are found by what they declare', () => {
    const read = questions.filter(({ recorded }) => recorded !== undefined).map(({ name }) => name)
    expect(read).toEqual(
      expect.arrayContaining(['inbound', 'inboundTime', 'inboundBuckets', 'outbound', 'outboundTime']),
    )
    for (const { recorded } of questions) expect(recorded?.promql ?? 'goldseam:linkerd_').toContain('goldseam:linkerd_')
    // One has no rule; for others there is nothing in this world.
    const rest = questions.map(({ name }) => name).filter((name) => !read.includes(name))
    expect(rest).toEqual(expect.arrayContaining(['pods', 'egress', 'tcp']))
    expect(use?.recorded.toSorted()).toEqual(read.toSorted())
    expect(use?.empty.toSorted()).toEqual(rest.toSorted())
    expect(use?.outdated).toEqual([])
  })

  test('for other clusters, or of another version, are told as such and not read', async () => {
    const peered = dialectsFor({ named: ['linkerd'], peers: () => ['west'], overrides: {} })
    const detection = new Detection(client, peered, false, 'east', () => ['west'])
    await detection.prepare(complete, signal())
    const { recorded = [], empty = [], outdated = [] } = detection.recordedUse(WINDOW_SECONDS) ?? {}
    expect(recorded).toEqual(expect.arrayContaining(['inbound', 'inboundTime', 'inboundBuckets']))
    expect(outdated.toSorted()).toEqual(['outbound', 'outboundTime'])
    // Calls of connections are asked by the peers as well, but there are none: nothing was recorded for whomever.
    expect(empty).toEqual(expect.arrayContaining(['pods', 'egress', 'tcpCalls']))
    expect(empty.filter((name) => outdated.includes(name))).toEqual([])
    // Over another window nothing is read from them, whatever they are for.
    const over2m = detection.recordedUse(2 * WINDOW_SECONDS)
    expect(over2m).toMatchObject({ lanes: [], recorded: [], empty: [], outdated: [] })
    expect(over2m?.overOthers.map(({ lane }) => lane).toSorted()).toEqual(['fast', 'slow'])
    const asked = detection.dialects
      .flatMap((one) => one.questions(WINDOW_SECONDS))
      .filter(({ name }) => outdated.includes(name) || empty.includes(name))
    expect(asked.flatMap((question) => question.recorded ?? [])).toEqual([])
  })

  test('are outdated by name only where their fingerprint is none of ours', async () => {
    const peered = dialectsFor({ named: ['linkerd'], peers: () => ['west'], overrides: {} })
    const read = await readRecorded(client, complete, signal())
    const differing = ['outbound', 'outboundTime']
    expect([...(read.names ?? [])]).toEqual(
      expect.arrayContaining(differing.map((name) => recordedName('linkerd', name, WINDOW_SECONDS))),
    )
    expect(recordedUse([linkerd], read, WINDOW_SECONDS)?.outdated).toEqual([])
    expect(recordedUse(peered, read, WINDOW_SECONDS)?.outdated.toSorted()).toEqual(differing)
  })

  test.each(['fast', 'slow'] as const)('give the numbers of the raw series: %s lane', async (lane) => {
    const atSeconds = evaluated[lane].at(-2) ?? 0
    const mine = questions.filter((question) => question.lane === lane)
    const through = overheard()
    const recorded = await collectInstant(through.api, mine, atSeconds, signal())
    const asked = await collectInstant(client, mine.map(raw), atSeconds, signal())
    expect([...recorded.failures, ...asked.failures]).toEqual([])
    for (const { name, promql } of mine.filter(({ name }) => name.startsWith('inbound'))) {
      expect(through.asked, name).not.toContain(promql)
    }
    const series = mine.map(({ name }) => expectSame(recorded.answers.get(name), asked.answers.get(name)))
    expect(series.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(150)
  })

  test.each(['fast', 'slow'] as const)('give the numbers of the raw series over time: %s lane', async (lane) => {
    const fromSeconds = runsOf(STEPS, evaluated[lane], complete).at(-1) ?? 0
    const range = { fromSeconds, stepSeconds: 1, steps: STEPS }
    const mine = questions.filter((question) => question.lane === lane)
    const recorded = await collectRange(client, mine, range, signal())
    const asked = await collectRange(client, mine.map(raw), range, signal())
    const series = mine.map(({ name }) => expectSame(recorded.answers.get(name), asked.answers.get(name)))
    expect(series.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(150)
  })

  test('are not asked for what was before them', async () => {
    const { sinceSeconds = 0 } = questions[0]?.recorded ?? {}
    const { asked, api } = overheard()
    const { answers } = await collectInstant(api, questions, sinceSeconds - 30, signal())
    expect(asked.join()).not.toContain('goldseam:')
    expect(answers.get('inbound')?.length).toBeGreaterThan(50)
  })

  test('that are missing leave their question to the raw series', async () => {
    const pods = questions.filter(({ name }) => name === 'pods')
    const { answers } = await collectInstant(client, pods, evaluated.fast.at(-1) ?? 0, signal())
    expect(answers.get('pods')?.length).toBeGreaterThan(10)
  })
}

/** The first evaluation after an instant; the one that follows it says that it is finished. */
function firstFinished(afterSeconds: number, evaluated: readonly number[]): number {
  const [first, next] = evaluated.filter((at) => at > afterSeconds)
  return first !== undefined && next !== undefined ? first : expect.fail('not yet')
}

/**
 * Where `steps` evaluations begin that lie exactly a second apart and are followed by another one, which says that they
 * are finished. A Prometheus without its share of the processor skips evaluations, and then answers with the last one.
 */
function runsOf(steps: number, evaluated: readonly number[], afterSeconds: number): number[] {
  const steady = (from: number) =>
    Array.from({ length: steps }, (_, step) => evaluated[from + step]).every(
      (at, step) => at !== undefined && Math.abs(at - (evaluated[from] ?? 0) - step) < 1e-6,
    )
  return evaluated.filter((at, index) => at > afterSeconds && steady(index) && evaluated[index + steps] !== undefined)
}
