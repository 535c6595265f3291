import type { Cluster, Fleet, Suspect, Workload } from '@goldseam/server/contract'

/** The part that every federated answer starts with. */
export type AnswerHead = Pick<Fleet, 'snapshot' | 'clusters' | 'gaps' | 'verdict'>

/** What the frame needs of whichever answer the screen shows. */
export interface HeadView {
  readonly head: AnswerHead
  readonly suspects: readonly Suspect[]
  /** The workload that suffers, where the answer holds it. */
  readonly subject: Workload | null
  /** Age of the oldest data on screen when the answer arrived. */
  readonly oldestSeconds: number
}

export function viewOfHead(head: AnswerHead, workloads: readonly Workload[], suspects: readonly Suspect[]): HeadView {
  const { subject } = head.verdict
  return {
    head: { snapshot: head.snapshot, clusters: head.clusters, gaps: head.gaps, verdict: head.verdict },
    suspects,
    subject: workloads.find(({ id }) => id === subject) ?? null,
    oldestSeconds: oldestAge(head.clusters, workloads),
  }
}

function oldestAge(clusters: readonly Cluster[], workloads: readonly Workload[]): number {
  const answered = clusters.filter(({ state }) => state !== 'down' && state !== 'pending')
  return [...answered, ...workloads].reduce((oldest, { ageSeconds }) => Math.max(oldest, ageSeconds ?? 0), 0)
}
