/** Texts and comments, also where they are not closed. */
export const APART = /"(?:[^"\\]|\\.?)*(?:"|$)|'(?:[^'\\]|\\.?)*(?:'|$)|`[^`]*(?:`|$)|#[^\n]*/
const NUMBER = /(?<![\w.:])(?<digits>\d+)\.(?=e[+-]?\d|(?![\w.:]))/
/** Where an operand begins it is a metric that is called so. */
const METRIC = /\boffset\b(?<=(?:^|[(,+\-*/%^=<>!~]|\b(?:and|or|unless|bool|atan2)\b)\s*offset)/
/** Functions of Prometheus 2 and of some that is tried out, by others with as long a name: any takes any arguments here. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  holt_winters: 'day_of_month',
  min_of: 'minute',
  max_of: 'minute',
}
/** There the grammar knows words of its own. */
const RANGE = /\[[^\]]*\]|\boffset\s*-?\s*(?:min_of|max_of)\b/
const CALLED = new RegExp(`(?<![\\w.:])(?:${Object.keys(FUNCTIONS).join('|')})(?=(?:\\s|#[^\\n]*\\n)*\\()`)
const ODD = new RegExp(
  `${APART.source}|${RANGE.source}|${NUMBER.source}|(?<metric>${METRIC.source})|(?<called>${CALLED.source})`,
  'gis',
)

/**
 * What Prometheus takes and our grammar does not, in other words of the same length, so that places stay the same:
 * `5.` for a number, a metric with the name `offset`, and functions of another version.
 */
export function spelledForParser(text: string): string {
  return text.replace(ODD, (found, ...rest) => {
    const { digits, metric, called } = rest.at(-1) as { digits?: string; metric?: string; called?: string }
    if (digits !== undefined) return `0${digits}`
    if (called !== undefined) return FUNCTIONS[called] ?? called
    return metric === undefined ? found : metric.replace(/.$/, '_')
  })
}
