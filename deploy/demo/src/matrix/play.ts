import { createHistory } from '../history/create-history.ts'
import { measureCalm } from '../history/rehearsal.ts'
import { normalizeLe, SERIES_PER_REQUEST, sorted } from '../history/write-history.ts'
import { createCrowds } from '../load/crowds.ts'
import { cumulate } from '../mesh/family.ts'
import { exportedName, SCRAPE_INTERVAL_SECONDS } from '../prometheus/config.ts'
import { remoteWrite, type TimeSeries } from '../prometheus/remote-write.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { createVirtualTransport } from '../transport/virtual.ts'
import { startWorld, type World } from '../world/world.ts'

/** Samples of a story that has just been played, by the series they belong to. */
type Tape = Map<string, { labels: TimeSeries['labels']; timestampsMs: number[]; values: number[] }>

/**
 * Plays the story's first two phases on a virtual clock through the very services, proxies and exporters of the demo, and
 * writes what they export into real Prometheus servers: 75 calm minutes, then `troubleSeconds` of the second phase, which
 * is under way now. Returns when (unix seconds) the second phase began.
 */
export async function playStory(options: {
  scenario: Scenario
  /** By cluster. */
  prometheusUrls: ReadonlyMap<string, string>
  prometheusVersion: string
  /** How much of it there is to be, and how much has passed when the playing begins. */
  troubleSeconds: number
  passedSeconds: number
  signal: AbortSignal
}): Promise<number> {
  const { scenario, signal, troubleSeconds, passedSeconds, prometheusVersion } = options
  const transport = createVirtualTransport()
  const world = await startWorld(transport, scenario)
  const crowds = createCrowds(transport, scenario, world)
  const pace = await measureCalm({ transport, world, crowds, scenario, signal })
  const beginsMs = Math.floor(Date.now() / 1000 - passedSeconds) * 1000
  const targets = [...options.prometheusUrls].map(([cluster, prometheusUrl]) => ({
    prometheusUrl,
    exporters: world.exporters(cluster),
  }))
  await createHistory({ targets, prometheusVersion, pace, signal, endMs: beginsMs })

  const [, trouble] = scenario.phases
  const steps = [...(trouble?.users ?? [])]
  if (trouble !== undefined) await world.apply(trouble)
  crowds.start(steps[0]?.users ?? 0)
  const tapes = new Map<string, Tape>(scenario.clusters.map((cluster) => [cluster, new Map()]))
  for (let at = 0; at < troubleSeconds; at += SCRAPE_INTERVAL_SECONDS) {
    for (const { afterSeconds, users } of steps) if (afterSeconds >= at && afterSeconds < at + 2) crowds.setUsers(users)
    await transport.pass(SCRAPE_INTERVAL_SECONDS * 1000, signal)
    const atMs = beginsMs + (at + SCRAPE_INTERVAL_SECONDS) * 1000
    for (const [cluster, tape] of tapes) record(tape, world, cluster, prometheusVersion, atMs)
  }
  for (const [cluster, tape] of tapes) {
    const series = [...tape.values()]
    for (let first = 0; first < series.length; first += SERIES_PER_REQUEST) {
      const url = options.prometheusUrls.get(cluster) ?? ''
      await remoteWrite(url, series.slice(first, first + SERIES_PER_REQUEST), signal)
    }
  }
  return beginsMs / 1000
}

/** What a scrape of all pages of a cluster takes down. */
function record(tape: Tape, world: World, cluster: string, prometheusVersion: string, atMs: number): void {
  for (const { registry, job, labels: added, name: page } of world.exporters(cluster)) {
    const target = { job, ...added }
    put(tape, `${page} up`, () => sorted('up', Object.entries(target)), atMs, 1)
    for (const cell of registry.cells()) {
      const values = cumulate(cell.family, cell.values)
      cell.series.forEach(({ name, labels }, row) => {
        const make = () => {
          const stored = cell.family.kind === 'histogram' ? normalizeLe(labels, prometheusVersion) : labels
          const own = stored.map(([key, value]) => [exportedName(key, target), value] as const)
          return sorted(name, [...own, ...Object.entries(target)])
        }
        put(tape, `${page} ${cell.linePrefixes[row]}`, make, atMs, values[row] ?? 0)
      })
    }
  }
}

function put(tape: Tape, key: string, labels: () => TimeSeries['labels'], atMs: number, value: number): void {
  let series = tape.get(key)
  if (!series) {
    series = { labels: labels(), timestampsMs: [], values: [] }
    tape.set(key, series)
  }
  series.timestampsMs.push(atMs)
  series.values.push(value)
}
