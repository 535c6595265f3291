import type { Completion, CompletionResult } from '@codemirror/autocomplete'
import { type CompleteStrategy, newCompleteStrategy } from '@prometheus-io/codemirror-promql'
import { completionClient, type KnownIn } from './completion-client.ts'

/** Completion from the union of the clusters, each name with how many of them know it. */
export function completionOver(clusters: readonly string[]): CompleteStrategy {
  const { client, knownIn } = completionClient(clusters)
  const learnt = newCompleteStrategy({ remote: client })
  return {
    async promQL(context) {
      const found = await learnt.promQL(context)
      return found === null ? null : withClusters(found, knownIn, clusters)
    },
    destroy: () => learnt.destroy?.(),
  }
}

/** Says of names that were learnt in how many clusters they are known; where not in all, in which. */
export function withClusters(found: CompletionResult, knownIn: KnownIn, clusters: readonly string[]): CompletionResult {
  if (clusters.length < 2) return found
  return { ...found, options: found.options.map((option) => counted(option, knownIn.get(option.label), clusters)) }
}

function counted(option: Completion, known: ReadonlySet<string> | undefined, clusters: readonly string[]): Completion {
  // Functions and keywords are nobody's.
  if (known === undefined || (option.type !== 'constant' && option.type !== 'text')) return option
  const where = known.size === clusters.length ? '' : ` only ${[...known].join(', ')}`
  return { ...option, detail: `${option.detail ?? ''} ${known.size}/${clusters.length}${where}`.trim() }
}
