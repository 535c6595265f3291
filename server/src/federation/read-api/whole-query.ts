import { anyOf, type Matcher } from '../../dialects/promql.ts'
import { CLUSTER_LABEL, type Edit, edited, selectorEdit } from './choose-clusters.ts'
import type { Among, ManyClusters, Member } from './fan-out.ts'
import { labelPlaces } from './label-places.ts'
import { ownMoved } from './merge-results.ts'
import { speaksOfOwn } from './own-label.ts'
import type { ParsedPromql, Selector } from './parse-promql.ts'

/** A query for several clusters as the one endpoint that holds them all is asked it. */
export interface WholeQuery {
  readonly endpoint: ManyClusters
  readonly promql: string
  readonly clusters: readonly (Among & { readonly name: string })[]
  /** A series' labels as Goldseam has them: with the cluster's own name under `cluster`. */
  readonly labelled: (labels: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
}

/**
 * The query over all its clusters at once; null where they are not behind one endpoint, or where an argument names the
 * label `cluster`, or it speaks of `exported_cluster`, while the endpoint knows the cluster, or the label, by another
 * name. Conditions on the cluster become one on the endpoint's label, which stands for `cluster` in `by`, `on` and the
 * like.
 */
export function wholeQuery(
  parsed: ParsedPromql,
  chosen: ReadonlyMap<Selector, ReadonlySet<string>>,
  wanted: readonly Member[],
): WholeQuery | null {
  const clusters = wanted.flatMap(({ name, among }) => (among === null ? [] : [{ ...among, name }]))
  const endpoint = clusters[0]?.endpoint
  const together = clusters.length === wanted.length && clusters.every((one) => one.endpoint === endpoint)
  if (endpoint === undefined || !together) return null
  const { text, selectors } = parsed
  const { label } = endpoint
  if (label !== CLUSTER_LABEL && speaksOfOwn(parsed)) return null
  const alike = label === CLUSTER_LABEL && clusters.every(({ name, value }) => name === value)
  const { groupings, texts } = labelPlaces(parsed)
  if (!alike && texts.some((one) => one.label === CLUSTER_LABEL || one.label === label)) return null
  const places = groupings.flatMap(({ labels }) => labels.filter((one) => one.label === CLUSTER_LABEL))
  const renamed: Edit[] = label === CLUSTER_LABEL ? [] : places.map(({ from, to }) => ({ from, to, text: label }))
  const conditions = selectors.map((selector) => {
    const values = clusters.flatMap(({ name, value }) => (chosen.get(selector)?.has(name) === true ? [value] : []))
    return selectorEdit(selector, values.length === 0 ? null : [amongThem(label, values)])
  })
  const names = new Map(clusters.map(({ name, value }) => [value, name]))
  return {
    endpoint,
    promql: edited(text, [...conditions, ...renamed]),
    clusters,
    labelled: alike ? (labels) => labels : (labels) => withNames(labels, label, names, renamed.length > 0),
  }
}

/** One value as an equality: of others `absent()` tells no label. */
function amongThem(label: string, values: readonly string[]): Matcher {
  const [only, ...more] = values
  return only !== undefined && more.length === 0 ? { label, op: '=', value: only } : anyOf(label, values)
}

/** `moved`: the query speaks of `cluster` where the endpoint was told its own label, so that only that one is left. */
function withNames(
  labels: Readonly<Record<string, unknown>>,
  label: string,
  names: ReadonlyMap<string, string>,
  moved: boolean,
): Readonly<Record<string, unknown>> {
  const { [label]: value, ...rest } = labels
  const name = typeof value === 'string' ? names.get(value) : undefined
  if (name === undefined) return label === CLUSTER_LABEL ? labels : ownMoved(labels)
  return {
    ...ownMoved(rest),
    ...(moved || label === CLUSTER_LABEL ? {} : { [label]: value }),
    [CLUSTER_LABEL]: name,
  }
}
