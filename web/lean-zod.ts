import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'

const JSON_SCHEMA = /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/
const ENGLISH = /\/zod\/v4\/locales\/en\.js$/

/**
 * Leaves out of pages what zod brings and only the server uses, about 7 kB compressed: every schema can write itself as
 * JSON Schema (for OpenAPI), and says in English what does not fit (in the config). Parsing passes through neither.
 */
export function leanZod(): Plugin {
  return {
    name: 'lean-zod',
    async load(id) {
      if (ENGLISH.test(id)) return 'export default () => ({ localeError: () => undefined })'
      if (!JSON_SCHEMA.test(id)) return null
      const source = await readFile(id, 'utf8')
      const names = [...source.matchAll(/^export (?:function|const) (\w+)/gm)].map(([, name]) => `nothing as ${name}`)
      return `const nothing = () => ({})\nexport { ${names.join(', ')} }`
    },
  }
}
