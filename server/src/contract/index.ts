import { clusters } from './clusters.ts'
import { fleet } from './fleet.ts'
import { suspects } from './suspects.ts'
import { topology } from './topology.ts'
import { workload } from './workload.ts'

export * from './clusters.ts'
export * from './endpoint.ts'
export * from './fleet.ts'
export * from './goals.ts'
export * from './golden.ts'
export * from './mesh.ts'
export * from './own.ts'
export * from './problem.ts'
export * from './scope.ts'
export * from './snapshot.ts'
export * from './suspects.ts'
export * from './topology.ts'
export * from './workload.ts'

/** Every endpoint of `/api/v1`, by name. */
export const endpoints = { clusters, fleet, suspects, topology, workload } as const
