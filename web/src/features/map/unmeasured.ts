import type { Edge } from '@goldseam/server/contract'

/** What is known of a call of which only the ends are: nothing that was counted. */
export const UNMEASURED = {
  evidence: [],
  destination: null,
  via: null,
  caller: null,
  callee: null,
  usual: null,
  callsPerRequest: null,
  accountedRatio: null,
  seamSeconds: null,
  calleeMean: null,
  ageSeconds: null,
  tcp: null,
  signals: [],
  notes: [],
} satisfies Partial<Edge>
