import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { World } from '../world/world.ts'
import { type ScrapeJob, targetsJson } from './config.ts'

/** Writes the file_sd files of each cluster anew. Prometheus reads them whenever they change and must never see half of one. */
export async function writeTargets(clusters: readonly string[], world: World, folder: string): Promise<void> {
  for (const cluster of clusters) {
    for (const { name, targetsFile } of scrapeJobs(cluster, world, folder)) {
      const exporters = world.exporters(cluster).filter(({ job }) => job === name)
      await writeFile(`${targetsFile}.new`, targetsJson(exporters))
      await rename(`${targetsFile}.new`, targetsFile)
    }
  }
}

/** The jobs of a cluster's mesh; they do not change while it runs. */
export function scrapeJobs(cluster: string, world: World, folder: string): ScrapeJob[] {
  const jobs = new Map(world.exporters(cluster).map(({ job, path }) => [job, path]))
  return [...jobs].map(([name, path]) => ({ name, path, targetsFile: join(folder, `${cluster}.${name}.json`) }))
}
