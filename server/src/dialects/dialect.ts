import type { LabelsApart } from '../domain/apart.ts'
import type { Values } from '../domain/columns.ts'
import type { WorkloadRef } from '../domain/identity.ts'
import type { Listed } from '../domain/listed.ts'
import type { NativeColumn } from '../domain/native-column.ts'
import type { Observation } from '../domain/observation.ts'
import type { Turns } from '../domain/turns.ts'

/** One series of an answer, on the time steps that were asked for. */
export interface SeriesColumn extends LabelsApart {
  readonly values: Values
  /** Set where steps hold native histograms: those have no single value, and are NaN in `values`. */
  readonly histograms?: NativeColumn
}

/** The answers to questions, by their names. */
export type Answers = ReadonlyMap<string, Listed<SeriesColumn>>

/** One aggregated query for all namespaces at once. `lane`: buckets are what costs, rates are cheap. */
export interface Question {
  readonly name: string
  readonly promql: string
  readonly lane: 'fast' | 'slow'
  /** Of the slow lane, and dear for what it tells: where there is much of it, its last answer stands for a minute. */
  readonly rare?: true
  /**
   * Of the fast lane, and dear: where there is much of it, its last answer stands for as long as percentiles may, while
   * what workloads receive stays as it was. What workloads receive is told by the others.
   */
  readonly stands?: true
  /** The same answer out of recorded series, for instants since `sinceSeconds` (unix). */
  readonly recorded?: {
    readonly promql: string
    /** The recorded rates averaged over a longer window. */
    readonly averaged?: (windowSeconds: number) => string
    readonly sinceSeconds: number
  }
}

/** What a mesh's metrics do not hold, once in words; `where` says on which screens it matters. */
export interface Limit {
  readonly about: 'pods' | 'requests' | 'edges' | 'cluster' | 'latency' | 'success' | 'sampling' | 'identity'
  readonly text: string
}

/** What some labels are read as; with several and no note, each says its part of it. */
export interface LabelUse {
  readonly says: string
  readonly labels: readonly string[]
  readonly note: string | null
}

/** How a mesh's metrics are asked for and read. Data and one pure reader; no I/O. */
export interface Dialect {
  readonly name: string
  /** The dialect is spoken where one of these metrics exists. */
  readonly detectedBy: readonly string[]
  /** And where none of these does: they hold the same, and more of it. */
  readonly unless?: readonly string[]
  /** Whether the first failure of a series counts; where it does not, success is an upper bound. */
  readonly countsFirstFailures: boolean
  /** The counter of requests that every pod tells of itself, by whose `job` a pod that is scraped twice is found. */
  readonly countedInPods?: string
  /** Its numbers come from a sample, so that rates are lower bounds. */
  readonly sampled?: true
  /** What its numbers cannot tell, for whoever reads them. */
  readonly limits: readonly Limit[]
  /** What of a series names the workload, its namespace, its direction and so on, for whoever wonders about a row. */
  readonly labelUses: readonly LabelUse[]
  /** `peers`: the names of the other clusters, which mirrored services carry in their own. */
  questions(windowSeconds: number, peers?: readonly string[]): readonly Question[]
  /**
   * The latency buckets of these workloads' calls, the dearest question of all: asked only for what is on screen.
   * Null where the dialect has none. `peers` as for `questions`, so that both tell calls apart alike.
   */
  edgeQuestion(windowSeconds: number, callers: readonly WorkloadRef[], peers?: readonly string[]): Question | null
  /**
   * What these workloads alone receive (rates, time and buckets), for those in trouble and on screen: cheap enough to
   * be asked often and over time. They may answer for more workloads than were named. Absent: the dialect has none.
   */
  workloadQuestions?(windowSeconds: number, workloads: readonly WorkloadRef[]): readonly Question[]
  /**
   * What each pod of one workload receives, for `read`: the answers carry a pod's name where a deployment's would stand.
   * Absent: the dialect does not tell pods apart.
   */
  podQuestions?(windowSeconds: number, workload: WorkloadRef): readonly Question[]
  /**
   * Reads the answers, by question name; what was not answered is simply absent. In turns: of a large cluster there are
   * tens of thousands of series. Nothing of a series' values is held.
   */
  reading(cluster: string, steps: number, answers: Answers): Turns<Observation>
}
