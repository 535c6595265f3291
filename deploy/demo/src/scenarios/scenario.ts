import type { MeshSpec } from '../mesh/catalog.ts'
import type { Behaviour } from '../services/behaviour.ts'

/** A story as data. The simulation reads it; only the files of this folder know what any of it means. */
export interface Scenario {
  readonly name: string
  readonly title: string
  /** How the numbers relate to the published story. */
  readonly scale: string
  /** The service that carries the fault in this run. */
  readonly culprit: string
  readonly cast: readonly CastMember[]
  readonly clusters: readonly string[]
  /** By cluster; where none is named, Linkerd. */
  readonly meshes?: Readonly<Record<string, MeshSpec>>
  readonly services: readonly ServicePlan[]
  readonly phases: readonly PhasePlan[]
  /** Whose requests are counted. */
  readonly load: LoadPlan
  /** A steady trickle elsewhere, so that the fleet is not only the story. */
  readonly background: readonly (LoadPlan & { readonly users: number })[]
}

export interface CastMember {
  readonly letter: string
  readonly service: string
  readonly text: string
}

export interface ServicePlan {
  readonly cluster: string
  readonly namespace: string
  readonly name: string
  readonly replicas: number
  readonly port: number
  readonly serviceAccount: string
  readonly behaviour: Behaviour
  /** Present on an ingress: its public `ip:port` and which host goes to which `namespace/name`. */
  readonly ingress?: { readonly address: string; readonly hosts: Readonly<Record<string, string>> }
}

export interface LoadPlan {
  readonly host: string
  readonly path: string
  readonly thinkSeconds: number
}

export interface PhasePlan {
  readonly name: string
  readonly title: string
  readonly text: string
  readonly durationSeconds: number
  readonly users: readonly { readonly afterSeconds: number; readonly users: number }[]
  /** By service id; what is not named is as in the plan of the service. */
  readonly changes: Readonly<Record<string, ServiceChange>>
}

export interface ServiceChange {
  readonly replicas?: number
  readonly behaviour?: Partial<Behaviour>
}

export function serviceId(service: { cluster: string; namespace: string; name: string }): string {
  return `${service.cluster}/${service.namespace}/${service.name}`
}
