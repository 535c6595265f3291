import { spoken, workloadId } from '../identity.ts'
import { trustDomainOf } from './homes.ts'
import { candidates, target } from './target.ts'
import type { Rule, World } from './types.ts'

/**
 * Rule 3: the labels name a workload, and the identity it showed is at home in one cluster only. A trust domain of the
 * cluster's own settles it; a service account that no other cluster shows leaves a doubt, for those that show none yet.
 */
export const identity: Rule = {
  name: 'identity',
  resolve({ destination, clues, serverId }, world) {
    if (destination.kind !== 'pod') return null
    const shown = [...new Set([...clues.serverIds, ...(serverId === null ? [] : [serverId])])]
    const id = shown.length === 1 ? shown[0] : undefined
    if (id === undefined) return null
    const domain = trustDomainOf(id)
    const at = (cluster: string) => workloadId({ ...destination.workload, cluster })
    const domains = [...(domain === null ? [] : (world.homes.get(domain) ?? []))]
    const [home, ...others] = domains
    if (home !== undefined && others.length === 0 && world.workloads.has(at(home))) {
      // Who shows no identity to neighbours may have the same domain.
      const silent = world.clusters.filter((cluster) => !hasHome(cluster, world))
      const doubt = silent.length === 0 ? [] : [`what ${silent.join(' and ')} would show is not known`]
      return {
        rule: 'identity',
        confidence: silent.length === 0 ? 'solid' : 'dotted',
        evidence: [`it showed the identity ${id}; the trust domain ${domain} is that of ${home} alone`, ...doubt],
        targets: [target(at(home))],
      }
    }
    const showing = [...(world.homes.get(id) ?? [])].filter((cluster) => world.workloads.has(at(cluster)))
    const like = world.clusters.filter((cluster) => world.workloads.has(at(cluster)))
    const [only] = showing
    if (only !== undefined && showing.length === 1 && like.length === 1) {
      return {
        rule: 'identity',
        confidence: 'dashed',
        evidence: [`it showed the identity ${id}, which is shown in ${only} alone`],
        targets: [target(at(only))],
      }
    }
    if (like.length === 0) return null
    return {
      rule: 'identity',
      confidence: 'dotted',
      evidence: [
        `it showed the identity ${id}, which does not name a cluster: ${like.map((cluster) => spoken(at(cluster))).join(', ')} may be meant`,
      ],
      targets: candidates(like.map(at)),
    }
  },
}

function hasHome(cluster: string, world: World): boolean {
  return [...world.homes.values()].some((clusters) => clusters.has(cluster))
}
