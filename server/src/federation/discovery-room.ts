import type { Oddity } from './counted-twice.ts'

/** So many values are named; how many more there are is counted. */
const NAMED = 3

export interface Room {
  /** Values of the label that are new, in order. */
  readonly fresh: readonly string[]
  /** Clusters that are known, and whether each was there at this look. */
  readonly known: readonly { readonly value: string; readonly seenAtSeconds: number; readonly isThere: boolean }[]
  readonly maxClusters: number
}

/**
 * Who is taken in where no more than `maxClusters` may be known: who is there goes before who was, and of those that are
 * gone the one that was seen last stays longest.
 */
export function makeRoom({ fresh, known, maxClusters }: Room): {
  readonly takenIn: readonly string[]
  readonly giveWay: readonly string[]
} {
  const lacking = fresh.length - Math.max(0, maxClusters - known.length)
  const gone = known.filter(({ isThere }) => !isThere).sort((a, b) => a.seenAtSeconds - b.seenAtSeconds)
  const giveWay = gone.slice(0, Math.max(0, lacking)).map(({ value }) => value)
  const room = Math.max(0, maxClusters - known.length + giveWay.length)
  return { takenIn: fresh.slice(0, room), giveWay }
}

/** What to do about values of the label that cannot be a cluster's name; a wrong label has thousands of them: one remark. */
export function unnamed(url: string, label: string, values: readonly string[]): Oddity[] {
  const [first] = values
  if (first === undefined) return []
  const [it, they] = values.length === 1 ? ["a cluster's name", 'it'] : ["clusters' names", 'them']
  const held = `${url} holds ${label}=${listed(values)}, which cannot be ${it}`
  // JSON is YAML: a value may hold quotes and line breaks.
  const detail = `${held}; add rename: { ${JSON.stringify(first)}: a-name }, exclude ${they}, or check clusterLabel`
  return [{ what: 'cluster', why: 'no name', detail }]
}

export function tooMany(url: string, maxClusters: number, left: readonly string[]): Oddity[] {
  if (left.length === 0) return []
  const names = left.slice(0, NAMED).join(', ')
  const detail = `${url} holds ${left.length} more clusters than maxClusters (${maxClusters}) allows: ${names}...`
  return [{ what: 'further clusters', why: 'too many', detail }]
}

/** Who was known, is gone, and had to give way to others that are there. */
export function gaveWay(url: string, maxClusters: number, values: readonly string[]): Oddity[] {
  if (values.length === 0) return []
  const detail = `${url} no longer holds ${listed(values)}, and maxClusters (${maxClusters}) has no room to show what is gone`
  return [{ what: 'clusters that are gone', why: 'too many', detail }]
}

export function noneFound(url: string, label: string, hasNameless: boolean): Oddity {
  const what = hasNameless ? `no value of the label ${label} that can be a name` : `no value of the label ${label}`
  const detail = `${url} holds ${what}; check clusterLabel, include and exclude`
  return { what: 'clusters there', why: 'none found', detail }
}

function listed(values: readonly string[]): string {
  const named = values.slice(0, NAMED).map((value) => JSON.stringify(value))
  const more = values.length > NAMED ? ` and ${values.length - NAMED} more` : ''
  return `${named.join(', ')}${more}`
}
