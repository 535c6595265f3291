import { address } from './rule-address.ts'
import { host } from './rule-host.ts'
import { identity } from './rule-identity.ts'
import { ingress } from './rule-ingress.ts'
import { declared, labels, mirror } from './rule-labels.ts'
import type { Rule } from './types.ts'

/**
 * From strongest to weakest; the first that resolves a call wins, the others corroborate. Rates come last and by
 * themselves: they look at what all the others leave unexplained.
 */
export const rules: readonly Rule[] = [labels, mirror, declared, identity, address, host, ingress]
