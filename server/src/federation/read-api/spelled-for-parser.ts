/** Texts and comments, also where they are not closed. */
export const APART = /"(?:[^"\\]|\\.?)*(?:"|$)|'(?:[^'\\]|\\.?)*(?:'|$)|`[^`]*(?:`|$)|#[^\n]*/
const NUMBER = /(?<![\w.:])(?<digits>\d+)\.(?=e[+-]?\d|(?![\w.:]))/
/** Where an operand begins it is a metric that is called so. */
const METRIC = /\boffset\b(?<=(?:^|[(,+\-*/%^=<>!~]|\b(?:and|or|unless|bool|atan2)\b)\s*offset)/
const ODD = new RegExp(`${APART.source}|${NUMBER.source}|(?<metric>${METRIC.source})`, 'gis')

/**
 * What Prometheus takes and our grammar does not, in other words of the same length, so that places stay the same:
 * `5.` for a number, and a metric with the name `offset`.
 */
export function spelledForParser(text: string): string {
  return text.replace(ODD, (found, ...rest) => {
    const { digits, metric } = rest.at(-1) as { digits?: string; metric?: string }
    if (digits !== undefined) return `0${digits}`
    return metric === undefined ? found : metric.replace(/.$/, '_')
  })
}
