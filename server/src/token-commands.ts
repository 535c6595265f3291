import { dirname, resolve } from 'node:path'
import { hashOf, newToken } from './access/tokens.ts'
import { WallStore } from './access/wall-store.ts'
import { AccessName } from './config/auth-schema.ts'
import type { LoadedConfig } from './config/load-config.ts'
import { WallName } from './contract/index.ts'

export const TOKEN_USAGE = `Tokens (nothing of a token is kept but its hash):

  npm start -- token NAME               makes a token for a person or a tool, and the line for auth.tokens
  npm start -- walls list               the screens that may show the wall
  npm start -- walls add NAME [--clusters east,west] [--namespaces shop]
                                        makes one, for a part of the fleet or all, and prints the end of its address
  npm start -- walls rename NAME TO     gives it another name
  npm start -- walls revoke NAME        takes its token back; the screen asks to be paired again within seconds
`

export interface Outcome {
  readonly code: number
  readonly out: string
  readonly error: string
}

/** `token NAME`: needs no config. */
export function tokenCommand([name]: readonly string[]): Outcome {
  if (name === undefined) return refuse('name who the token is for: npm start -- token ann')
  const { error } = AccessName.safeParse(name)
  if (error !== undefined) return refuse(`${name}: ${error.issues[0]?.message}`)
  const token = newToken('person')
  return say(`${token}

Keep it now: it is not shown again. In the config:

auth:
  tokens:
    - { name: ${JSON.stringify(name)}, hash: "${hashOf(token)}" }
`)
}

/** Comma-separated lists; null: not given, so no limit. */
export interface WallsOptions {
  readonly clusters: string | null
  readonly namespaces: string | null
}

/** `walls ...`: the paired screens, in the file that the running server reads too. `now`: RFC 3339. */
export function wallsCommand(
  [verb, name, to]: readonly string[],
  options: WallsOptions,
  { config, file }: LoadedConfig,
  now: string,
): Outcome {
  const { auth } = config
  if (auth === null || auth === 'none') return refuse('walls need a token only where the config has auth.tokens')
  if (verb !== 'add' && (options.clusters ?? options.namespaces) !== null)
    return refuse('--clusters and --namespaces belong to walls add')
  const isListed = (wanted: string) => auth.walls.some((wall) => wall.name === wanted)
  const store = new WallStore(resolve(dirname(file), auth.wallsFile))
  try {
    switch (verb) {
      case 'list': {
        const configured = auth.walls.map((wall) => ({ ...wall, since: 'listed in the config' }))
        const paired = store.list().map((wall) => ({ ...wall, since: `since ${wall.createdAt}` }))
        const lines = [...configured, ...paired].map(
          ({ name: known, clusters, namespaces, since }) =>
            `${known}\t${clusters.join(',') || 'all clusters'}\t${namespaces.join(',') || 'all namespaces'}\t${since}\n`,
        )
        return say(lines.join('') || 'no walls yet\n')
      }
      case 'add': {
        if (name === undefined) return refuse('name the screen: walls add lobby')
        checkName(name)
        if (isListed(name)) return refuse(`a wall named ${name} is listed in ${file}`)
        const [clusters, namespaces] = [listed(options.clusters), listed(options.namespaces)]
        const known = config.clusters.map((cluster) => cluster.name)
        const strange = clusters.find((cluster) => !known.includes(cluster))
        // Where clusters are discovered the config does not know them all.
        if (strange !== undefined && config.discover.length === 0)
          return refuse(`cluster ${strange} is not configured here (known: ${known.join(', ')})`)
        const token = newToken('wall')
        store.add({ name, hash: hashOf(token), clusters, namespaces, createdAt: now })
        return say(`/wall#token=${token}\n\nOpen this address of your Goldseam on the screen. It is not shown again.\n`)
      }
      case 'rename':
        if (name === undefined || to === undefined) return refuse('give both names: walls rename lobby entrance')
        checkName(to)
        if (isListed(to)) return refuse(`a wall named ${to} is listed in ${file}`)
        store.rename(name, to)
        return say(`${name} is ${to} now\n`)
      case 'revoke':
        if (name === undefined) return refuse('name the screen: walls revoke lobby')
        // One that was paired under a name before the config listed it goes first.
        if (isListed(name) && !store.list().some((wall) => wall.name === name))
          return refuse(`${name} is listed in ${file}: take it out there and restart`)
        store.revoke(name)
        return say(`${name} may no longer look\n`)
      default:
        return refuse('use walls list, add, rename or revoke')
    }
  } catch (error) {
    return refuse((error as Error).message)
  }
}

function listed(list: string | null): string[] {
  const items = (list ?? '').split(',').map((item) => item.trim())
  if (list !== null && items.includes('')) throw new Error('write lists as east,west')
  return list === null ? [] : items
}

function checkName(name: string): void {
  const { error } = WallName.safeParse(name)
  if (error !== undefined) throw new Error(`${name}: ${error.issues[0]?.message}`)
}

function say(out: string): Outcome {
  return { code: 0, out, error: '' }
}

function refuse(words: string): Outcome {
  return { code: 2, out: '', error: `${words}\n\n${TOKEN_USAGE}` }
}
