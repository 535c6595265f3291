import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'

const WRITERS = /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/

/**
 * Every zod schema can write itself as JSON Schema, so bundlers keep the code for it. The server alone does so (for
 * OpenAPI): pages leave it out, about 6 kB compressed. Parsing does not pass through it.
 */
export function withoutJsonSchema(): Plugin {
  return {
    name: 'without-json-schema',
    async load(id) {
      if (!WRITERS.test(id)) return null
      const source = await readFile(id, 'utf8')
      const names = [...source.matchAll(/^export (?:function|const) (\w+)/gm)].map(([, name]) => `nothing as ${name}`)
      return `const nothing = () => ({})\nexport { ${names.join(', ')} }`
    },
  }
}
