import { missingAsAWhole, storeAddress, tellsOfNoStore } from '../prometheus/missing-part.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'

/**
 * Nothing, while a store did not answer: whether there is nothing, or it lies in that store, one such answer alone does not
 * tell.
 */
export class NothingForSure extends UpstreamError {
  readonly warnings: readonly string[]

  constructor(trouble: string, warnings: readonly string[]) {
    super('unreachable', trouble)
    this.warnings = warnings
  }
}

/**
 * What a warning of Thanos says about a store that did not answer, in words; null for any other warning. Thanos has no
 * codes for it, only texts (pkg/store/proxy.go): `fetch series for {...} Addr: HOST:PORT MinTime: ...: rpc error: ...`.
 */
export function storeTrouble(warning: string): string | null {
  if (tellsOfNoStore(warning)) return 'no store of it is connected to the endpoint; check its sidecar'
  const store = storeAddress(warning)
  return store === null ? null : `its store ${store} does not answer: ${innermost(warning)}`
}

/** The same where it may be said of the answer as a whole. */
export function missingPart(warning: string): string | null {
  return storeTrouble(warning) ?? missingAsAWhole(warning)
}

/** The cause without the layers that handed it on. */
export function innermost(text: string): string {
  const [, cause = text] = /^.*\bdesc = (.+)$/s.exec(text) ?? []
  return cause
    .replace(/^"(.*)"$/s, '$1')
    .replaceAll('\\"', '"')
    .slice(0, 200)
}

/** Why a warning makes an answer incomplete, as a gap says it: cause and words. */
export function troubleOf(warning: string): readonly [why: string, detail: string] {
  const trouble = missingPart(warning)
  return trouble === null ? ['warning', warning] : ['partial response', trouble]
}
