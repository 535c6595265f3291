import { ZodArray, ZodObject, type z } from 'zod'

/** So many rows are checked at once; then whoever types or scrolls comes first. */
const ROWS_AT_ONCE = 200

/** `safeParse`, with long lists of the answer's own read a part at a time: 2 000 rows at once would hold up a slow machine. */
export async function parseInParts<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): Promise<z.ZodSafeParseResult<z.output<Schema>>> {
  const lists = listsLongerThan(ROWS_AT_ONCE, schema, body)
  if (lists.length === 0) return schema.safeParse(body)
  const short = Object.fromEntries(lists.map(({ key }) => [key, []]))
  const rest = schema.safeParse({ ...(body as object), ...short })
  if (!rest.success) return rest
  const read: Record<string, unknown[]> = {}
  for (const { key, rows, of } of lists) {
    const parsed: unknown[] = []
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      await pause()
      const part = of.safeParse(rows.slice(from, from + ROWS_AT_ONCE))
      if (!part.success) return part as z.ZodSafeParseError<z.output<Schema>>
      parsed.push(...part.data)
    }
    read[key] = parsed
  }
  return { success: true, data: { ...(rest.data as object), ...read } as z.output<Schema> }
}

/** The answer's own lists with more than `many` rows, each with the schema that it is promised by. */
export function listsLongerThan(many: number, schema: z.ZodType, body: unknown) {
  if (!(schema instanceof ZodObject)) return []
  const answer = (body ?? {}) as Record<string, unknown>
  return Object.entries(schema.shape).flatMap(([key, of]) => {
    const rows = answer[key]
    return of instanceof ZodArray && Array.isArray(rows) && rows.length > many ? [{ key, rows, of }] : []
  })
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
