import type { Matcher } from '../dialects/promql.ts'
import { list, object } from '../prometheus/envelope.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * The groups of `/api/v1/rules` as far as they are one cluster's. A Thanos tells the rules of all clusters whoever asks,
 * and whose a rule is on the rule alone: its alerts are given the label here. A Prometheus that holds many clusters has
 * rules over all of them: these stay, with this cluster's alerts.
 */
export function groupsOf(data: unknown, matcher: Matcher | null): readonly Json[] {
  // Thanos Query writes null where no rules are behind it.
  const groups = list(object(data, 'data').groups ?? [], 'groups').map((group) => object(group, 'group'))
  if (matcher === null) return groups
  const { label, value } = matcher
  const isOthers = ({ [label]: own }: Json) => own !== undefined && own !== value
  return groups.flatMap((group) => {
    const rules = list(group.rules ?? [], 'rules').flatMap((one) => {
      const rule = object(one, 'rule')
      const own = labelsOf(rule)
      if (isOthers(own)) return []
      if (rule.alerts === undefined) return [rule]
      const alerts = list(rule.alerts ?? [], 'alerts').map((alert) => object(alert, 'alert'))
      const told = label in own ? { [label]: own[label] } : {}
      const mine = alerts.map((alert) => ({ ...alert, labels: { ...told, ...labelsOf(alert) } }))
      return [{ ...rule, alerts: mine.filter(({ labels }) => !isOthers(labels)) }]
    })
    return rules.length === 0 ? [] : [{ ...group, rules }]
  })
}

/** The alerts of groups, firing and pending. */
export function alertsOf(groups: readonly Json[]): readonly unknown[] {
  return groups.flatMap(({ rules }) =>
    list(rules ?? [], 'rules').flatMap((rule) => list(object(rule, 'rule').alerts ?? [], 'alerts')),
  )
}

function labelsOf({ labels }: Json): Json {
  return object(labels ?? {}, 'labels')
}
