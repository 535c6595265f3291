/** slow_cooker's marker, one sign for x2, two for x4, three for x10; `-` likewise downward. */
export type ChangeMark = '' | '+' | '++' | '+++' | '-' | '--' | '---'

export function changeMark(ratio: number | null): ChangeMark {
  if (ratio === null || !(ratio > 0)) return ''
  const size = ratio >= 1 ? ratio : 1 / ratio
  const signs = size >= 10 ? 3 : size >= 4 ? 2 : size >= 2 ? 1 : 0
  return (ratio >= 1 ? '+' : '-').repeat(signs) as ChangeMark
}
