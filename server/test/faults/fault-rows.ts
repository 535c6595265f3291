import type { Authority } from '../support/certificates.ts'
import * as answers from './answer-faults.ts'
import { others, ours, shows } from './fault-certificates.ts'
import { NAME, notResolving } from './fault-name.ts'
import type { Fault } from './fault-proxy.ts'
import type { TrueGap } from './told-gaps.ts'

/** What the gap of the faulty cluster must say; HOST stands for the host and port of its endpoint. Default: everything. */
export interface FaultRow extends Omit<TrueGap, 'what'>, Partial<Pick<TrueGap, 'what'>> {
  readonly name: string
  readonly fault: Fault | (() => Fault | Promise<Fault>)
  /** The name the endpoint is reached by; default 127.0.0.1. */
  readonly host?: string
  /**
   * Default: beside others, each with a server of its own. `inThisProcess`: the server runs here, as only here the name
   * is known. `alone`: what it sends keeps a processor busy, and others would be late for it.
   */
  readonly runs?: 'inThisProcess' | 'alone'
  /** Over TLS, with a certificate of this authority. */
  readonly authority?: () => Authority
  /** Default 1. */
  readonly timeoutSeconds?: number
  /** How many snapshots with the fault to watch at least; default 2. */
  readonly snapshots?: number
  /** Whether the endpoint is left alone in the end. */
  readonly opensBreaker?: boolean
  /** Called each second of the fault: true = it is there. */
  readonly pattern?: (second: number) => boolean
}

/** With the half second that an endpoint gets on top to say so itself it is known before the soft deadline. */
const HANGING_SECONDS = 0.4
const TIMEOUT = 'no answer within 0.4 s; raise its timeout or look at its load'
const REFUSED = 'nothing listens at HOST; check the URL and that it runs'
const TOO_LARGE = 'the answer is larger than 50331648 bytes; raise limits.maxResponseBytes or use recording rules'

/** Each fault, and what has to be said of it; `watchFault` holds each row to all that is promised. */
export const faultRows: readonly FaultRow[] = [
  { name: 'refuse', fault: { on: 'port' }, why: 'unreachable', detail: REFUSED, opensBreaker: true },
  {
    name: 'hang before headers',
    fault: answers.hangBeforeHeaders,
    why: 'timeout',
    detail: TIMEOUT,
    timeoutSeconds: HANGING_SECONDS,
    opensBreaker: true,
  },
  {
    name: 'hang mid-body',
    fault: answers.hangMidBody,
    why: 'timeout',
    detail: TIMEOUT,
    timeoutSeconds: HANGING_SECONDS,
  },
  { name: 'slow drip', fault: answers.slowDrip, why: 'timeout', detail: TIMEOUT, timeoutSeconds: HANGING_SECONDS },
  {
    name: 'hang longer than the soft deadline',
    fault: answers.hangBeforeHeaders,
    why: 'slow',
    detail: 'no answer within 1.3 s; still waiting for it',
    timeoutSeconds: 30,
    snapshots: 3,
  },
  {
    name: 'reset',
    fault: answers.reset,
    why: 'unreachable',
    detail: 'HOST closed the connection; it may be restarting or overloaded',
    opensBreaker: true,
  },
  {
    name: '401',
    fault: answers.page(401, 'no'),
    why: 'unauthorized',
    detail: 'access refused (HTTP 401); check bearerTokenFile, basicAuth or oauth2',
    opensBreaker: true,
  },
  {
    name: '403',
    fault: answers.prometheusError(403, 'forbidden', 'no such tenant'),
    why: 'unauthorized',
    detail: 'access refused (HTTP 403): no such tenant',
    opensBreaker: true,
  },
  {
    name: '422',
    fault: answers.prometheusError(422, 'execution', 'query processing would load too many samples into memory'),
    why: 'rejected',
    detail: 'Prometheus rejected the query (execution): query processing would load too many samples into memory',
  },
  {
    name: '429 with Retry-After',
    fault: answers.page(429, 'slow down', { 'retry-after': '1' }),
    why: 'unreachable',
    detail: 'HTTP 429: too many queries for it or a proxy before it; raise refresh, or lower concurrency',
    opensBreaker: true,
  },
  {
    name: '500',
    fault: answers.prometheusError(500, 'internal', 'opening storage failed'),
    why: 'unreachable',
    detail: 'Prometheus failed (HTTP 500): opening storage failed',
    opensBreaker: true,
  },
  {
    name: '503',
    fault: answers.page(503, '<html>', { 'content-type': 'text/html' }),
    why: 'unreachable',
    detail: 'HTTP 503: it is starting, overloaded, or a proxy before it cannot reach it',
    opensBreaker: true,
  },
  {
    name: 'HTML with 200',
    fault: answers.page(200, '<form>', { 'content-type': 'text/html; charset=utf-8' }),
    why: 'malformed',
    detail: 'HTTP 200 with text/html instead of a Prometheus answer; is this a login page or another service?',
  },
  {
    name: 'truncated JSON',
    fault: answers.truncated,
    why: 'malformed',
    detail: 'the answer is not complete JSON; something on the way cut it off',
  },
  {
    name: 'invalid UTF-8',
    fault: answers.page(200, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), { 'content-type': 'application/json' }),
    why: 'malformed',
    detail: 'the answer is not UTF-8; something on the way damages it, or it is no Prometheus',
  },
  {
    name: 'wrong result type',
    fault: answers.data({ resultType: 'string', result: [0, 'x'] }),
    why: 'malformed',
    detail: 'not an answer of a Prometheus API: an instant query answered with string',
  },
  {
    name: 'nothing left',
    fault: answers.data({ resultType: 'vector', result: [] }),
    why: 'empty',
    detail:
      /^it answers, but has none of the \d+ series it had; look at what it reads from \(stores, data directory\)$/,
  },
  {
    name: 'redirect',
    fault: answers.page(302, '', { location: 'http://login.example.com/' }),
    why: 'malformed',
    detail: 'HTTP 302: redirects are not followed; put the final address into the config',
  },
  {
    name: 'TLS: expired',
    authority: ours,
    fault: shows(() => ours().issue(['IP:127.0.0.1'], 'expired')),
    why: 'tls',
    detail: 'the certificate of HOST has expired on 2 Jan 2020, 00:00 UTC; renew it, or set the clock of this machine',
    opensBreaker: true,
  },
  {
    name: 'TLS: wrong host',
    authority: ours,
    fault: shows(() => ours().issue(['DNS:other.test'])),
    why: 'tls',
    detail: 'the certificate of HOST is made out to other names; put one of them into its URL, or renew it',
    opensBreaker: true,
  },
  {
    name: 'TLS: unknown CA',
    authority: ours,
    fault: shows(() => others().issue(['IP:127.0.0.1'])),
    why: 'tls',
    detail: 'the certificate of HOST is not signed by an authority trusted here; set caFile to the one that signed it',
    opensBreaker: true,
  },
  {
    name: 'clock 10 min behind',
    fault: answers.clockOff(-600),
    what: 'freshness',
    why: 'clock',
    // What an answer says of its time is exact to a second, and on its way for a moment.
    detail:
      /^its clock is 60[01] s behind Goldseam's, so the newest values are missing; set one of the clocks \(NTP\)$/,
  },
  {
    name: 'clock 10 min ahead',
    fault: answers.clockOff(600),
    what: 'freshness',
    why: 'clock',
    detail:
      /^its clock is (599|600) s ahead of Goldseam's, so these values are that much too old; set one of the clocks \(NTP\)$/,
  },
  {
    name: 'flapping each second',
    fault: { on: 'port' },
    pattern: (second) => second % 2 === 0,
    snapshots: 4,
    why: 'unreachable',
    detail: REFUSED,
    beside: ['alerts', 'history'],
  },
  {
    name: 'samples of another time',
    fault: answers.samplesOff(-607),
    why: 'malformed',
    // The instant is aligned, and older than now by some seconds.
    detail: /^its samples are from 60\d s before the time asked for; check its clock and any cache on the way$/,
  },
  {
    name: 'DNS failure',
    host: NAME,
    runs: 'inThisProcess',
    fault: notResolving,
    why: 'unreachable',
    detail: 'the name in HOST does not resolve; check the URL and DNS',
    opensBreaker: true,
  },
  {
    name: '200 MB',
    fault: answers.hugeBody,
    why: 'tooLarge',
    detail: TOO_LARGE,
    timeoutSeconds: 10,
    snapshots: 1,
    runs: 'alone',
  },
  {
    name: 'a million tiny series',
    fault: answers.millionSeries,
    why: 'tooLarge',
    detail: 'more than 200000 series in one answer; raise limits.maxSeries or use recording rules',
    timeoutSeconds: 10,
    snapshots: 1,
    runs: 'alone',
  },
  {
    name: 'a gzip bomb',
    fault: answers.gzipBomb,
    why: 'tooLarge',
    detail: TOO_LARGE,
    timeoutSeconds: 10,
    snapshots: 1,
    runs: 'alone',
  },
]
