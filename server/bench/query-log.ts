import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'

/** One query as a Prometheus was asked it. Times are unix seconds; `stepSeconds` 0: an instant. */
export interface AskedQuery {
  readonly promql: string
  readonly fromSeconds: number
  readonly toSeconds: number
  readonly stepSeconds: number
}

/** What a Prometheus writes about each query it evaluated, whoever asked. */
export class QueryLog {
  readonly #file: string
  #offset = 0
  #rest = ''

  constructor(file: string) {
    this.#file = file
  }

  /** The queries that ended since the last look. */
  take(): AskedQuery[] {
    if (!existsSync(this.#file)) return []
    const { size } = statSync(this.#file)
    const piece = Buffer.alloc(size - this.#offset)
    const descriptor = openSync(this.#file, 'r')
    readSync(descriptor, piece, 0, piece.length, this.#offset)
    closeSync(descriptor)
    this.#offset = size
    const lines = `${this.#rest}${piece}`.split('\n')
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => {
      const { params } = JSON.parse(line)
      // Rules are evaluated by Prometheus itself.
      if (params === undefined || line.includes('"ruleGroup"')) return []
      return [
        {
          promql: params.query,
          fromSeconds: Date.parse(params.start) / 1_000,
          toSeconds: Date.parse(params.end) / 1_000,
          stepSeconds: params.step,
        },
      ]
    })
  }
}
