/** The first of a header's values; empty where there is none. */
export function header(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? ''
}
