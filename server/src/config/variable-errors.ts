import type { ConfigError, ConfigPath, ErrorAt } from './config-error.ts'

/** The file's own places are less deep. */
const DEEPEST = 12
const VARIABLE = /\$\{[A-Za-z_]\w*\}/

/** Nothing is put in for a shell's variables, and what they stand for would never be asked. */
export function variableErrors(value: unknown, at: ErrorAt, path: ConfigPath = []): ConfigError[] {
  if (typeof value === 'string') {
    const [variable] = VARIABLE.exec(value) ?? []
    if (variable === undefined) return []
    const advice =
      'this file is read as it is; write the value, or make the file with envsubst (secrets have files of their own)'
    return [at(path, `${variable} stands for nothing here: ${advice}`)]
  }
  // References may lead back to where they stand.
  if (typeof value !== 'object' || value === null || path.length > DEEPEST) return []
  const isList = Array.isArray(value)
  return Object.entries(value).flatMap(([key, inner]) =>
    variableErrors(inner, at, [...path, isList ? Number(key) : key]),
  )
}
