import { z } from 'zod'
import { endpoints } from '../contract/index.ts'

/** The OpenAPI 3.1 document of all that the API answers to GET, from the contract's own schemas. */
export function openApiDocument(build: string): object {
  return {
    openapi: '3.1.0',
    info: { title: 'Goldseam', version: build, description: 'Golden signals and service edges over several clusters' },
    paths: Object.fromEntries(
      Object.entries(endpoints).map(([name, endpoint]) => [openApiPath(endpoint.path), pathItem(name, endpoint)]),
    ),
    components: { schemas: componentSchemas() },
  }
}

/** `/a/:b` as `/a/{b}`. */
function openApiPath(path: string): string {
  return path.replace(/:([a-zA-Z]+)/g, '{$1}')
}

function pathItem(
  name: string,
  { summary, params, query, response }: (typeof endpoints)[keyof typeof endpoints],
): object {
  return {
    get: {
      operationId: name,
      summary,
      parameters: [
        ...params.map((param) => ({ name: param, in: 'path', required: true, schema: { type: 'string' } })),
        ...queryParameters(query),
      ],
      responses: {
        200: {
          description: 'The answer; what could not be asked is in `gaps`',
          content: content('application/json', idOf(response)),
        },
        304: { description: 'Unchanged since the given ETag' },
        default: { description: 'A problem (RFC 9457)', content: content('application/problem+json', 'Problem') },
      },
    },
  }
}

function content(type: string, id: string): object {
  return { [type]: { schema: { $ref: `#/components/schemas/${id}` } } }
}

function idOf(schema: z.ZodType): string {
  const id = schema.meta()?.id
  if (id === undefined) throw new Error('every query and response schema of the contract needs .meta({ id })')
  return id
}

/** What a client may send: the schema's input side, one parameter a field. */
function queryParameters(query: z.ZodType): object[] {
  const { properties = {}, required = [] } = schemasById('input')[idOf(query)] ?? {}
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function componentSchemas(): object {
  return Object.fromEntries(
    Object.entries(schemasById('output')).map(([id, { $schema: _schema, $id: _id, ...schema }]) => [id, schema]),
  )
}

/**
 * All schemas with an id at once. One by one they would carry `$defs` of their own, whose references break inside a
 * larger document.
 */
function schemasById(io: 'input' | 'output') {
  return z.toJSONSchema(z.globalRegistry, { uri: (id) => `#/components/schemas/${id}`, io }).schemas
}
