import type { Family } from './family.ts'
import type { Labels } from './labels.ts'
import type { PodFacts } from './network.ts'
import type { Cell, Registry } from './registry.ts'

/** Families as most programs write them. */
export const counter = (name: string, help = ''): Family => ({ name, kind: 'counter', help, encoder: 'plain' })
export const gauge = (name: string, help = ''): Family => ({ name, kind: 'gauge', help, encoder: 'plain' })
export const histogram = (name: string, bounds: readonly number[], help = ''): Family => ({
  name,
  kind: 'histogram',
  help,
  encoder: 'plain',
  bounds,
})

/** The cell of a family by the few words in which its label sets differ, so that labels are made once. */
export function cellsOf(
  registry: Registry,
  family: Family,
  labels: (...words: string[]) => Labels,
): (...words: string[]) => Cell {
  const cells = new Map<string, Cell>()
  return (...words) => {
    const key = words.join('\n')
    let cell = cells.get(key)
    if (!cell) {
      cell = registry.cell(family, labels(...words))
      cells.set(key, cell)
    }
    return cell
  }
}

/** What a scrape by pod annotations adds: all labels of the pod, its place, and the port that was asked. */
export function annotatedPod(facts: PodFacts, port: number): Record<string, string> {
  return {
    namespace: facts.namespace,
    pod: facts.name,
    app: facts.deployment,
    pod_template_hash: facts.templateHash,
    instance: `${facts.address.slice(0, facts.address.lastIndexOf(':'))}:${port}`,
  }
}
