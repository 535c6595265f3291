import { rename, writeFile } from 'node:fs/promises'
import type { World } from '../world/world.ts'
import { targetsJson } from './config.ts'

/** Writes the file_sd file of each cluster anew. Prometheus reads it whenever it changes and must never see half of one. */
export async function writeTargets(
  clusters: readonly string[],
  world: World,
  fileOf: (cluster: string) => string,
): Promise<void> {
  for (const cluster of clusters) {
    const file = fileOf(cluster)
    await writeFile(`${file}.new`, targetsJson(world.pods(cluster)))
    await rename(`${file}.new`, file)
  }
}
