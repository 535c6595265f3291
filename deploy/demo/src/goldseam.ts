import { access } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Child, startChild } from './process/child.ts'
import { SetupProblem } from './process/setup-problem.ts'
import { waitUntilReady } from './prometheus/server.ts'
import type { Scenario } from './scenarios/scenario.ts'

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))

/** The configuration a user would write for these clusters. */
export function goldseamYaml(
  scenario: Scenario,
  { port, refresh }: { readonly port: number; readonly refresh: string },
  prometheusUrls: ReadonlyMap<string, string>,
): string {
  const clusters = [...prometheusUrls].map(
    ([name, url]) => `  - name: ${name}\n    endpoints: [{ url: ${JSON.stringify(url)} }]\n`,
  )
  const ingresses = scenario.services.flatMap(({ cluster, namespace, name, ingress }) => {
    if (!ingress) return []
    const address = ingress.address.replace(/:\d+$/, '')
    const hosts = new Set(Object.keys(ingress.hosts).map((host) => host.replace(/^[^.]+/, '*')))
    return [
      `  - { cluster: ${cluster}, workload: ${namespace}/${name}, addresses: ["${address}"], hosts: ${JSON.stringify([...hosts])} }\n`,
    ]
  })
  return `listen: 127.0.0.1:${port}
refresh: ${refresh}
lastGoodDirectory: last-good
# Everything shares one machine here: what a query takes is mostly waiting for its turn, and says little of its cost.
maxLoad: 2
clusters:
${clusters.join('')}ingresses:
${ingresses.join('')}`
}

export async function requireGoldseam(): Promise<string> {
  const entry = `${REPOSITORY}server/dist/main.js`
  await access(entry).catch(() => {
    throw new SetupProblem(
      `Goldseam is not built: ${entry} is missing. Run \`npm run build\`, or leave it out with --no-server.`,
    )
  })
  return entry
}

export async function startGoldseam(
  entry: string,
  configFile: string,
  port: number,
  signal: AbortSignal,
): Promise<Child> {
  const child = await startChild(process.execPath, [entry, '--config', configFile], REPOSITORY)
  try {
    await waitUntilReady(`http://127.0.0.1:${port}/readyz`, child, signal, 'Goldseam')
  } catch (error) {
    await child.stop()
    throw error
  }
  return child
}
