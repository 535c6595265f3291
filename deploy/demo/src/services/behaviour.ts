/** How a service spends its time. Phases swap it while requests are under way; a request keeps what it began with. */
export interface Behaviour {
  /** How many requests a replica works on at once; the rest waits in line. */
  readonly workers: number
  readonly workMs: number
  /** Work takes workMs ± spreadMs, evenly spread. */
  readonly spreadMs: number
  /** A lock that all replicas share and hold for this long per request. */
  readonly lockMs?: number
  /** The share of requests that end in a 503 of its own. */
  readonly failureShare?: number
  /** Called one after the other, each once per request. */
  readonly calls?: readonly Call[]
  /** One of these per request, in proportion to its share. */
  readonly oneOf?: readonly (Call & { readonly share: number })[]
}

export interface Call {
  /** Host (and port) as the application writes it in its URL. */
  readonly host: string
  readonly timeoutMs?: number
}

/** Steps of the golden ratio cover 0..1 evenly in any stretch, so that shares hold within seconds and not only on average. */
const GOLDEN_STEP = 0.6180339887498949

export function createChooser(): (choices: readonly (Call & { readonly share: number })[]) => Call | undefined {
  let position = 0
  return (choices) => {
    position = (position + GOLDEN_STEP) % 1
    let upTo = 0
    for (const choice of choices) {
      upTo += choice.share
      if (position < upTo) return choice
    }
    return choices.at(-1)
  }
}
