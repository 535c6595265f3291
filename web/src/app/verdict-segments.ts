import { parseEdgeId, parseWorkloadId } from '../format/workload-name.ts'

export interface Segment {
  readonly text: string
  /** The workload this piece of the sentence names. */
  readonly id: string | null
}

/** The sentence that matters, and what follows it: `several` opens with a count that belongs to the first. */
export function splitSentence(text: string, several: boolean): { lead: string; rest: string } {
  let end = -1
  for (let sentences = several ? 2 : 1; sentences > 0; sentences -= 1) {
    const at = text.slice(end + 1).search(/\. (?=[A-Z])/)
    if (at < 0) return { lead: text, rest: '' }
    end += at + 1
  }
  return { lead: text.slice(0, end + 1), rest: text.slice(end + 1) }
}

/** Cuts the server's sentence where it names the workloads we know it is about, so that they can be linked. */
export function segmentsOf(sentence: string, ids: readonly (string | null)[]): Segment[] {
  let segments: Segment[] = [{ text: sentence, id: null }]
  for (const id of ids.flatMap(namedIn)) {
    if (segments.some((segment) => segment.id === id)) continue
    segments = linkFirst(segments, id)
  }
  return segments
}

function namedIn(id: string | null): string[] {
  if (id === null) return []
  const ends = parseEdgeId(id)
  return ends ? [ends.to, ends.from] : [id]
}

function linkFirst(segments: readonly Segment[], id: string): Segment[] {
  const parsed = parseWorkloadId(id)
  if (!parsed) return [...segments]
  const names = [id, `${parsed.namespace}/${parsed.name}`, parsed.name]
  for (const name of names) {
    const at = segments.findIndex((segment) => segment.id === null && indexOfWord(segment.text, name) >= 0)
    const hit = segments[at]
    if (hit) return [...segments.slice(0, at), ...cut(hit.text, name, id), ...segments.slice(at + 1)]
  }
  return [...segments]
}

function cut(text: string, name: string, id: string): Segment[] {
  const start = indexOfWord(text, name)
  const end = start + name.length
  const pieces = [
    { text: text.slice(0, start), id: null },
    { text: name, id },
    { text: text.slice(end), id: null },
  ]
  return pieces.filter((piece) => piece.text !== '')
}

/** A short name such as "a" must not be found inside another word. */
function indexOfWord(text: string, name: string): number {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? ' '
    const after = text[at + name.length] ?? ' '
    if (!/[\w/-]/.test(before) && !/[\w/-]/.test(after)) return at
  }
  return -1
}
