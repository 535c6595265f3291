import { list, object } from '../../prometheus/envelope.ts'
import { alertsOf, groupsOf } from '../rule-groups.ts'
import { CLUSTER_LABEL, withoutMark } from './choose-clusters.ts'
import type { Member, Part } from './fan-out.ts'

type Json = Readonly<Record<string, unknown>>
type Rows = Pick<Part, 'type' | 'rows' | 'stats'>
type Named = Pick<Member, 'name' | 'matcher'>

/**
 * A query's answer with the cluster in every series. The samples are handed on as they came, native histograms too.
 * A scalar stays one where it is the only answer (`alone`), else it becomes a sample.
 */
export function readResult(data: unknown, cluster: Named, alone: boolean): Rows {
  const { resultType, result, stats } = object(data, 'data')
  const type = String(resultType)
  switch (type) {
    case 'vector':
    case 'matrix':
      return {
        type,
        rows: list(result, 'result').map((row) => sampleOf(object(row, 'series'), cluster)),
        stats,
      }
    default:
      if (alone) return { type, rows: list(result, 'result'), stats }
      return { type: 'vector', rows: [{ metric: { [CLUSTER_LABEL]: cluster.name }, value: result }], stats }
  }
}

/** The answer of an endpoint that holds all clusters: its series tell of themselves where they come from. */
export function readWhole(data: unknown, labelled: (labels: Json) => Json): Rows {
  const { resultType, result, stats } = object(data, 'data')
  const type = String(resultType)
  const rows = list(result, 'result')
  if (type !== 'vector' && type !== 'matrix') return { type, rows, stats }
  const read = rows.map((row) => {
    const { metric, ...rest } = object(row, 'series')
    return { metric: labelled(object(metric ?? {}, 'metric')), ...rest }
  })
  return { type, rows: read, stats }
}

/** `/api/v1/series`: a list of label sets. */
export function readLabelSets(data: unknown, cluster: Named): Rows {
  return { type: '', rows: list(data, 'data').map((row) => labelled(object(row, 'series'), cluster)) }
}

/** A list of texts, or whatever does not tell clusters apart. */
export function readList(data: unknown): Rows {
  return { type: '', rows: list(data, 'data') }
}

export function readExemplars(data: unknown, cluster: Named): Rows {
  return {
    type: '',
    rows: list(data, 'data').map((row) => withCluster(object(row, 'exemplars'), 'seriesLabels', cluster)),
  }
}

/** `/api/v1/alerts`; of one of many clusters `/api/v1/rules`, because alerts alone do not tell whose they are. */
export function readAlerts(data: unknown, cluster: Named): Rows {
  const { matcher } = cluster
  const alerts =
    matcher === null ? list(object(data, 'data').alerts ?? [], 'alerts') : alertsOf(groupsOf(data, matcher))
  return {
    type: '',
    rows: alerts.map((alert) => withCluster(object(alert, 'alert'), 'labels', cluster)),
  }
}

/** Rule groups; the cluster leads the file, because group names are unique per file. */
export function readRuleGroups(data: unknown, cluster: Named): Rows {
  const rows = groupsOf(data, cluster.matcher).map(({ file, rules, ...rest }) => {
    return {
      ...rest,
      file: `${cluster.name}:${String(file)}`,
      rules: list(rules, 'rules').map((rule) => ruleOf(rule, cluster)),
    }
  })
  return { type: '', rows }
}

function ruleOf(rule: unknown, cluster: Named): Json {
  const { alerts, ...rest } = object(rule, 'rule')
  const labelledRule = withCluster(rest, 'labels', cluster)
  if (alerts === undefined) return labelledRule
  // Where they are not wanted Prometheus 3 says null.
  if (alerts === null) return { ...labelledRule, alerts }
  return {
    ...labelledRule,
    alerts: list(alerts, 'alerts').map((alert) => withCluster(object(alert, 'alert'), 'labels', cluster)),
  }
}

/** A sample with its cluster; what `absent()` tells of another cluster's series names that one by itself. */
function sampleOf(row: Json, cluster: Named): unknown {
  const told = withoutMark(row)
  return told === row ? withCluster(row, 'metric', cluster) : told
}

/** The row with its cluster among the labels below `key`, which comes first as in Prometheus' own answers. */
function withCluster(row: Json, key: string, cluster: Named): Json {
  const { [key]: labels, ...rest } = row
  return { [key]: labelled(object(labels ?? {}, key), cluster), ...rest }
}

/** A label `cluster` of the series' own gives way, and is kept as Prometheus keeps one that is in a target's way. */
export function labelled(labels: Json, { name: cluster, matcher }: Named): Json {
  const { [CLUSTER_LABEL]: own, ...rest } = labels
  // What its endpoint calls the cluster is no label of the series' own.
  const told = matcher?.label === CLUSTER_LABEL && own === matcher.value
  const others = own === undefined || own === cluster || told ? rest : ownMoved(labels)
  return { ...others, [CLUSTER_LABEL]: cluster }
}

/** Labels without a `cluster`, which is one of the series' own and called otherwise here. */
export function ownMoved({ [CLUSTER_LABEL]: own, ...rest }: Json): Json {
  if (own === undefined) return rest
  let name = `exported_${CLUSTER_LABEL}`
  while (name in rest) name = `exported_${name}`
  return { ...rest, [name]: own }
}
