import type { Mesh, Page } from '../meter.ts'
import type { PodFacts } from '../network.ts'
import { createRegistry } from '../registry.ts'
import { PROCESS_START_TIME_SECONDS, PROXY_BUILD_INFO } from './families.ts'
import { linkerdPodMeter } from './pod-meter.ts'
import type { LinkerdTraits } from './traits.ts'

/** Pods are older than the history that is shown, so that nothing in it looks like a restart. */
const AGE_AT_START_SECONDS = 6 * 3600

export function createLinkerd(title: string, traits: LinkerdTraits, ingressMetrics: boolean): Mesh {
  return {
    title,
    shared: [],
    ingressMetrics,
    pod(facts, isNew) {
      const registry = createRegistry()
      const ageSeconds = isNew ? 0 : AGE_AT_START_SECONDS
      registry.set(registry.cell(PROCESS_START_TIME_SECONDS, []), Math.floor(Date.now() / 1000) - ageSeconds)
      registry.set(
        registry.cell(PROXY_BUILD_INFO, [
          ['version', traits.proxyVersion],
          ['git_sha', ''],
          ['profile', 'release'],
          ['vendor', 'linkerd'],
        ]),
        1,
      )
      return { meter: linkerdPodMeter(registry, traits, facts), page: pageOf(facts, registry) }
    },
  }
}

/** What Linkerd's scrape job makes of a pod's own labels (its relabelling has happened here already). */
function pageOf(facts: PodFacts, registry: Page['registry']): Page {
  const ip = facts.address.slice(0, facts.address.lastIndexOf(':'))
  return {
    registry,
    job: 'linkerd-proxy',
    path: '/metrics',
    labels: {
      namespace: facts.namespace,
      pod: facts.name,
      deployment: facts.deployment,
      workload_ns: facts.namespace,
      control_plane_ns: 'linkerd',
      pod_template_hash: facts.templateHash,
      app: facts.deployment,
      instance: `${ip}:4191`,
    },
  }
}
