import { LanguageType, promQLLanguage } from '@prometheus-io/codemirror-promql'

const { parser } = promQLLanguage(LanguageType.PromQL)

/** What is wrong with the text and where, in one sentence; null when it can be asked. */
export function syntaxProblem(promql: string): string | null {
  if (promql.trim() === '') return null
  const cursor = parser.parse(promql).cursor()
  do {
    if (!cursor.type.isError) continue
    const before = promql.slice(0, cursor.from)
    const line = before.split('\n').length
    const column = cursor.from - before.lastIndexOf('\n')
    const found = promql.slice(cursor.from, cursor.to).trim()
    return `${line}:${column}: ${found === '' ? 'something is missing here' : `"${found.slice(0, 40)}" is not understood here`}. The last result stays.`
  } while (cursor.next())
  return null
}
