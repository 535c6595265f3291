import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '../../../../scripts/free-ports.mjs'
import { goldseamYaml, requireGoldseam, startGoldseam } from '../goldseam.ts'
import { type MeshSpec, parseMesh } from '../mesh/catalog.ts'
import type { PrometheusBinary } from '../prometheus/candidate.ts'
import { createPrometheusServer } from '../prometheus/server.ts'
import { createCampus } from '../scenarios/campus.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { playStory } from './play.ts'

/** What Goldseam says of the story in one pair of meshes. */
export interface Told {
  readonly suspects: readonly {
    readonly id: string
    readonly path: readonly string[]
    readonly word: string
    readonly own: { readonly of: string | null; readonly share: number | null }
  }[]
  readonly verdict: {
    readonly form: string
    readonly text: string
    readonly subject: string | null
    readonly suspect: string | null
  }
  readonly unresolved: readonly {
    readonly from: string
    readonly destination: string
    readonly suggestion: string
  }[]
}

/** One pair of meshes with the story in it, and a Goldseam that looks. */
export interface Combination {
  /** Unix seconds at which the trouble began. */
  readonly beganAt: number
  /** What it says this long after the trouble began, once that has passed. */
  tell(afterSeconds: number): Promise<Told>
  /** Starts Goldseam anew with these lines at the end of its configuration. */
  configure(lines: string): Promise<void>
  close(): Promise<void>
}

export async function startCombination(options: {
  east: string
  west: string
  binary: PrometheusBinary
  troubleSeconds: number
  passedSeconds: number
}): Promise<Combination> {
  const signal = new AbortController().signal
  const scenario: Scenario = {
    ...createCampus('directory'),
    meshes: { east: specOf(`east=${options.east}`), west: specOf(`west=${options.west}`) },
  }
  const folder = await mkdtemp(join(tmpdir(), 'goldseam-meshes-'))
  const [app = 0, ...ports] = await freePorts(scenario.clusters.length + 1)
  const servers = await Promise.all(
    scenario.clusters.map(async (cluster, i) => {
      await mkdir(join(folder, cluster))
      return createPrometheusServer({
        cluster,
        binary: options.binary.path,
        folder: join(folder, cluster),
        port: ports[i] ?? 0,
        signal,
      })
    }),
  )
  await Promise.all(servers.map((server) => server.start()))
  const prometheusUrls = new Map(servers.map(({ cluster, url }) => [cluster, url]))
  const beganAt = await playStory({
    scenario,
    prometheusUrls,
    prometheusVersion: options.binary.version,
    troubleSeconds: options.troubleSeconds,
    passedSeconds: options.passedSeconds,
    signal,
  })
  const entry = await requireGoldseam()
  const configFile = join(folder, 'goldseam.yaml')
  const start = async (more: string) => {
    await writeFile(configFile, goldseamYaml(scenario, { port: app, refresh: '5s' }, prometheusUrls) + more)
    return startGoldseam(entry, configFile, app, signal)
  }
  let goldseam = await start('')
  const ask = async (path: string) => {
    // Asked every five seconds, which is when the server closes a connection that nobody uses.
    const response = await fetch(`http://127.0.0.1:${app}/api/v1/${path}`, { headers: { connection: 'close' } })
    const body: unknown = await response.json()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(body)}`)
    return body as Told
  }
  return {
    beganAt,
    async tell(afterSeconds) {
      await sleep(Math.max(0, (beganAt + afterSeconds + 1) * 1000 - Date.now()))
      const { suspects, verdict } = await ask(`suspects?to=${beganAt + afterSeconds}`)
      const { unresolved } = await ask(`topology?to=${beganAt + afterSeconds}`)
      return { suspects, verdict, unresolved }
    },
    async configure(lines) {
      await goldseam.stop()
      goldseam = await start(lines)
    },
    async close() {
      await goldseam.stop()
      await Promise.all(servers.map((server) => server.stop()))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function specOf(text: string): MeshSpec {
  const parsed = parseMesh(text, ['east', 'west'])
  if (!parsed.ok) throw new Error(parsed.problem)
  return parsed.spec
}
