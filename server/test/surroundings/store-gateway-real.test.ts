import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../scripts/free-ports.mjs'
import type { Fleet as FleetAnswer } from '../../src/contract/index.ts'
import { type Engines, findEngines } from '../engines/find-engines.ts'
import { type Fleet, startFleet } from '../engines/fleet.ts'
import { type Program, startProgram } from '../engines/program.ts'
import { remoteWrite } from '../engines/remote-write.ts'
import { eventually } from '../support/eventually.ts'
import { type StartedGoldseam, startGoldseam } from '../support/start-goldseam.ts'

const STEP_SECONDS = 15
const PER_SECOND = 20
const DAY_SECONDS = 86_400
const AT_MOST_MS = 150_000
const WEB = {
  job: 'linkerd-proxy',
  instance: '10.0.0.1:4191',
  namespace: 'shop',
  deployment: 'web',
  pod: 'web-5d8f9c7b6-x2x4q',
  direction: 'inbound',
  classification: 'success',
}

const found = findEngines(process.env)

// engines.test.ts says what is missing, and fails where it must not be.
if (!('missing' in found)) describe('a real Thanos with a store gateway', { timeout: AT_MOST_MS }, () => suite(found))
else test('needs Prometheus 3 and Thanos (npm run setup:engines)', () => undefined)

/** A counter at a constant pace between two instants (unix seconds). */
function samplesOf(fromSeconds: number, toSeconds: number) {
  return Array.from({ length: Math.floor((toSeconds - fromSeconds) / STEP_SECONDS) + 1 }, (_, step) => ({
    atMs: (fromSeconds + step * STEP_SECONDS) * 1_000,
    value: step * STEP_SECONDS * PER_SECOND,
  }))
}

/** A bucket with blocks of these clusters, as a sidecar uploads them: ten minutes of yesterday, until an instant. */
async function uploaded(prometheus: string, folder: string, clusters: readonly string[], untilSeconds: number) {
  const labels = Object.entries(WEB).map(([name, value]) => `${name}="${value}"`)
  const samples = samplesOf(untilSeconds - 600, untilSeconds)
  const lines = samples.map(({ atMs, value }) => `response_total{${labels.join(',')}} ${value} ${atMs / 1_000}`)
  const text = join(folder, 'metrics.txt')
  writeFileSync(text, `# TYPE response counter\n${lines.join('\n')}\n# EOF\n`)
  const bucket = join(folder, 'bucket')
  mkdirSync(bucket)
  for (const cluster of clusters) {
    const made = join(folder, cluster)
    await promisify(execFile)(join(dirname(prometheus), 'promtool'), [
      ...['tsdb', 'create-blocks-from', 'openmetrics', text, made],
    ])
    for (const block of readdirSync(made)) {
      const meta = join(made, block, 'meta.json')
      const thanos = { version: 1, labels: { cluster, replica: 'a' }, downsample: { resolution: 0 }, source: 'sidecar' }
      writeFileSync(meta, JSON.stringify({ ...JSON.parse(readFileSync(meta, 'utf8')), thanos }))
      renameSync(join(made, block), join(bucket, block))
    }
  }
  return bucket
}

function suite(engines: Engines): void {
  const folder = mkdtempSync(join(tmpdir(), 'goldseam-gateway-'))
  const now = Math.floor(Date.now() / 1_000)
  const yesterday = now - DAY_SECONDS
  let gateway: Program
  let fleet: Fleet
  let goldseam: StartedGoldseam
  const answered = async (query = '') => (await goldseam.get(`/api/v1/fleet${query}`)).body as FleetAnswer
  const states = ({ clusters }: FleetAnswer) => Object.fromEntries(clusters.map(({ name, state }) => [name, state]))

  beforeAll(async () => {
    const bucket = await uploaded(engines.prometheus3, folder, ['east', 'retired', 'west'], yesterday)
    const [grpc, http] = [await freePort(), await freePort()]
    gateway = await startProgram(
      engines.thanos,
      [
        'store',
        `--data-dir=${join(folder, 'cache')}`,
        `--objstore.config=${JSON.stringify({ type: 'FILESYSTEM', config: { directory: bucket } })}`,
        `--grpc-address=127.0.0.1:${grpc}`,
        `--http-address=127.0.0.1:${http}`,
        '--log.level=warn',
      ],
      `http://127.0.0.1:${http}/-/ready`,
    )
    const one = { replica: 'a', binary: engines.prometheus3, scrapes: '  []' }
    const wanted = ['east', 'west'].map((cluster) => ({ ...one, cluster }))
    fleet = await startFleet(engines, wanted, ['--query.replica-label=replica', `--endpoint=127.0.0.1:${grpc}`])
    const live = { labels: { __name__: 'response_total', ...WEB }, samples: samplesOf(now - 600, now + 300) }
    await Promise.all([...fleet.prometheus.values()].map((url) => remoteWrite(url, [live])))
    goldseam = await startGoldseam(`refresh: 1s
maxLoad: 64
log: { level: silent }
limits: { lastGoodFor: 15s }
discover: [{ url: "${fleet.thanosUrl}", replicaLabels: [replica] }]`)
  }, AT_MOST_MS)
  afterAll(async () => {
    await goldseam?.close()
    await fleet?.close()
    await gateway?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('knows clusters of yesterday, which are none of today', async () => {
    const stores = await eventually(async () => {
      const { data } = (await (await fetch(`${fleet.thanosUrl}/api/v1/stores`)).json()) as {
        data: { store?: readonly { labelSets: readonly { cluster: string }[] }[] }
      }
      return data.store ?? expect.fail('Thanos Query has not met the store gateway yet')
    })
    const known = stores.flatMap(({ labelSets }) => labelSets.map(({ cluster }) => cluster))
    expect(known.sort()).toEqual(['east', 'retired', 'west'])
    await eventually(async () => expect(states(await answered())).toEqual({ east: 'ok', west: 'ok' }))
  })

  test('a cluster whose sidecar dies is down though the gateway knows it, and what it was yesterday can be looked at', async () => {
    await fleet.programs.get('west/a sidecar')?.close()
    await eventually(async () => {
      const answer = await answered()
      expect(states(answer)).toEqual({ east: 'ok', west: 'down' })
      expect(answer.verdict.form).not.toBe('quiet')
    })
    await eventually(async () => {
      const past = await answered(`?to=${yesterday - 60}&from=${yesterday - 120}`)
      expect(states(past)).toEqual({ east: 'ok', west: 'ok' })
      const rates = past.workloads.map(({ cluster, now: { requestsPerSecond } }) => [cluster, requestsPerSecond])
      expect(rates).toContainEqual(['west', expect.closeTo(PER_SECOND, 1)])
    })
  })
}
