import type { Outcome, Part } from './fan-out.ts'

const POSITION = / \(\d+:\d+\)$/

/**
 * Without the places that warnings and remarks speak of, where the cluster was asked in other words than were sent to us:
 * they would be those of a text that nobody has seen.
 */
export function cutPositions(outcome: Outcome, isChanged: (cluster: string) => boolean): Outcome {
  return { ...outcome, parts: outcome.parts.map((part) => (isChanged(part.cluster) ? cutIn(part) : part)) }
}

function cutIn(part: Part): Part {
  const cut = (texts: readonly string[]) => [...new Set(texts.map((text) => text.replace(POSITION, '')))]
  return { ...part, warnings: cut(part.warnings), infos: cut(part.infos) }
}
