export interface RecordingRule {
  readonly record: string
  readonly expr: string
  readonly labels: Readonly<Record<string, string>>
}

/** As promtool's unit tests hold them. */
export interface RuleTest {
  readonly promql_expr_test: readonly {
    readonly expr: string
    readonly exp_samples: readonly { readonly labels: string }[]
  }[]
}

/** `label_replace(..., "part","sum","","")`: a rule tells apart by it what its series are. */
const TAG = /"(\w+)","([^"$]+)","",""\)/g
/** One only keeps apart what is then added up, so that no recorded series has it; the other is a fingerprint. */
const EXPECTED_BY_NOBODY = ['of', 'question']

/** Records that no test expects a series of, and the labels that a rule gives to its series that none expects. */
export function untestedRules(rules: readonly RecordingRule[], tests: readonly RuleTest[]): string[] {
  const questions = tests.flatMap((test) => test.promql_expr_test)
  return rules.flatMap(({ record, expr, labels }) => {
    const expected = questions.filter((one) => namesIn(one.expr).has(record)).flatMap((one) => one.exp_samples)
    if (expected.length === 0) return [record]
    const tags = [...expr.matchAll(TAG)].map(([, label = '', value = '']): [string, string] => [label, value])
    const given = [...tags, ...Object.entries(labels)].filter(([label]) => !EXPECTED_BY_NOBODY.includes(label))
    const pairs = new Set(given.map(([label, value]) => `${label}="${value}"`))
    const missing = [...pairs].filter((pair) => !expected.some((one) => pairsIn(one.labels).has(pair)))
    return missing.map((pair) => `${record}{${pair}}`)
  })
}

function namesIn(expr: string): ReadonlySet<string> {
  return new Set(expr.match(/[\w:]+/g))
}

function pairsIn(labels: string): ReadonlySet<string> {
  return new Set(labels.match(/\w+="[^"]*"/g))
}
