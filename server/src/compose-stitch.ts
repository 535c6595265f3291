import type { Config } from './config/config.ts'
import { workloadId, workloadIn } from './domain/identity.ts'
import type { StitchConfig } from './domain/stitch/types.ts'

/** The part of the config that joins clusters, in the domain's terms. */
export function stitchConfig({ ingresses, routes, services, aliases }: Config): StitchConfig {
  return {
    ingresses: ingresses.flatMap(({ workload, ...ingress }) => {
      const ref = workloadIn(ingress.cluster, workload)
      return ref === undefined ? [] : [{ ...ingress, workload: workloadId(ref) }]
    }),
    routes: routes.map(({ match, to }) => ({ [match.kind]: match.glob, to })),
    services,
    aliases,
  }
}
