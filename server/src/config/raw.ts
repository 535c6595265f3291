/** A part of the file as written; empty where it is no map. */
export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

/** A part of the file as written; empty where it is no list. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
