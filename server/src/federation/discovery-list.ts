import { UpstreamError } from '../prometheus/upstream-error.ts'
import type { Gap } from './snapshot.ts'
import { missingPart } from './store-trouble.ts'

/** So long a part will do where all was told before: who is known is read, and few come anew. */
const WHOLE_FOR_SECONDS = 300

/** Why the list of clusters is not had, or not all of it. */
interface Lack {
  readonly error: UpstreamError
  /** As a gap says it. */
  readonly why: string
}

/** What is missing of the values of a label; null: nothing. */
export function lackIn(values: { readonly warnings: readonly string[] } | UpstreamError): Lack | null {
  if (values instanceof UpstreamError) return { error: values, why: values.kind }
  const [trouble] = values.warnings.flatMap((warning) => missingPart(warning) ?? [])
  if (trouble === undefined) return null
  return { error: new UpstreamError('unreachable', trouble), why: 'partial response' }
}

/** How much an endpoint has told of which clusters it holds. */
export class ListTold {
  readonly #url: string
  /** When it told all of them last, unix seconds. */
  #wholeAtSeconds = Number.NEGATIVE_INFINITY
  /** Null: it told all when it was asked last. `blindly`: for who knows of none. */
  #lacking: {
    readonly kind: UpstreamError['kind']
    readonly why: string
    readonly detail: string
    readonly blindly: string
    readonly isPart: boolean
    readonly sinceSeconds: number
  } | null

  constructor(url: string, nowSeconds: number) {
    this.#url = url
    const detail = `${url} has not told yet which clusters it holds`
    const why = 'timeout'
    this.#lacking = { kind: why, why, detail, blindly: detail, isPart: false, sinceSeconds: nowSeconds }
  }

  whole(nowSeconds: number): void {
    this.#wholeAtSeconds = nowSeconds
    this.#lacking = null
  }

  /** Some are known, such as those that the stores of a Thanos announce; who else is there is not. */
  partly(lack: Lack, nowSeconds: number): void {
    const detail = `${this.#url} does not tell all clusters it holds, so that some may be missing: ${lack.error.message}`
    this.#lacks(lack, detail, true, nowSeconds)
  }

  failed(error: UpstreamError, nowSeconds: number): void {
    this.#lacks({ error, why: error.kind }, this.#inWords(error), false, nowSeconds)
  }

  /** Why it does not tell all, for who knows of none; null: it does. */
  get lack(): UpstreamError | null {
    return this.#lacking === null ? null : new UpstreamError(this.#lacking.kind, this.#lacking.blindly)
  }

  /** `knowsSome`: whether any cluster is known, by whatever it told. */
  gap(nowSeconds: number, knowsSome: boolean): Omit<Gap, 'cluster'> | null {
    if (this.#lacking === null) return null
    const { why, detail, blindly, isPart, sinceSeconds } = this.#lacking
    if (isPart && knowsSome && nowSeconds - this.#wholeAtSeconds <= WHOLE_FOR_SECONDS) return null
    return { what: 'list of clusters', why, detail: knowsSome ? detail : blindly, sinceSeconds }
  }

  #lacks({ error, why }: Lack, detail: string, isPart: boolean, nowSeconds: number): void {
    const sinceSeconds = this.#lacking?.sinceSeconds ?? nowSeconds
    this.#lacking = { kind: error.kind, why, detail, blindly: this.#inWords(error), isPart, sinceSeconds }
  }

  #inWords({ message }: UpstreamError): string {
    return `${this.#url} cannot be asked which clusters it holds: ${message}`
  }
}
