import dns from 'node:dns'
import { afterAll, beforeAll, describe, test, vi } from 'vitest'
import { type Authority, type Certificates, createCertificates } from '../support/certificates.ts'
import * as answers from './answer-faults.ts'
import type { Fault } from './fault-proxy.ts'
import { type FaultRow, watchFault } from './watch-fault.ts'

/** Resolves while `resolves` says so; nothing else in this process asks for it. */
const NAME = 'prometheus.faults.test'
let resolves = true
let certificates: Certificates
let ours: Authority
let others: Authority

beforeAll(() => {
  certificates = createCertificates()
  ours = certificates.authority('ours')
  others = certificates.authority('others')
})
afterAll(() => certificates.remove())

const TIMEOUT = 'no answer within 1 s; raise limits.queryTimeout or look at its load'
const REFUSED = 'nothing listens at HOST; check the URL and that it runs'
const shown = (make: () => ReturnType<Authority['issue']>) => (): Fault => ({ on: 'certificate', shown: make() })

const rows: readonly FaultRow[] = [
  { name: 'refuse', fault: { on: 'port' }, why: 'unreachable', detail: REFUSED, opensBreaker: true },
  {
    name: 'hang before headers',
    fault: answers.hangBeforeHeaders,
    why: 'timeout',
    detail: 'no answer within 0.3 s; raise limits.queryTimeout or look at its load',
    timeoutSeconds: 0.3,
    opensBreaker: true,
  },
  { name: 'hang mid-body', fault: answers.hangMidBody, why: 'timeout', detail: TIMEOUT },
  { name: 'slow drip', fault: answers.slowDrip, why: 'timeout', detail: TIMEOUT },
  {
    name: 'hang longer than the soft deadline',
    fault: answers.hangBeforeHeaders,
    why: 'slow',
    detail: 'no answer within 3 s; still waiting for it',
    timeoutSeconds: 30,
    seconds: 6,
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
    authority: () => ours,
    fault: shown(() => ours.issue(['IP:127.0.0.1'], 'expired')),
    why: 'tls',
    detail: 'the certificate of HOST has expired on 2 Jan 2020, 00:00 UTC; renew it, or set the clock of this machine',
    opensBreaker: true,
  },
  {
    name: 'TLS: wrong host',
    authority: () => ours,
    fault: shown(() => ours.issue(['DNS:other.test'])),
    why: 'tls',
    detail: 'the certificate of HOST is made out to other names; put one of them into the URL, or renew it',
    opensBreaker: true,
  },
  {
    name: 'TLS: unknown CA',
    authority: () => ours,
    fault: shown(() => others.issue(['IP:127.0.0.1'])),
    why: 'tls',
    detail: 'the certificate of HOST is not signed by an authority trusted here; set caFile to the one that signed it',
    opensBreaker: true,
  },
  {
    name: 'clock 10 min behind',
    fault: answers.clockOff(-600),
    what: 'freshness',
    why: 'clock',
    detail: "its clock is 600 s behind Goldseam's, so the newest values are missing; set one of the clocks (NTP)",
  },
  {
    name: 'clock 10 min ahead',
    fault: answers.clockOff(600),
    what: 'freshness',
    why: 'clock',
    detail:
      "its clock is 600 s ahead of Goldseam's, so these values are that much too old; set one of the clocks (NTP)",
  },
  {
    name: 'flapping each second',
    fault: { on: 'port' },
    pattern: (second) => second % 2 === 0,
    seconds: 9,
    why: 'unreachable',
    detail: REFUSED,
  },
]

describe.concurrent('a cluster with a fault takes nothing of the others, says what is wrong, and comes back', () => {
  test.each(rows)('$name', { timeout: 180_000 }, (row) => watchFault(row))

  test('samples of another time', { timeout: 180_000 }, () =>
    watchFault({
      name: 'samples of another time',
      fault: answers.samplesOff(-607),
      why: 'malformed',
      // The instant is aligned, so the distance varies by some seconds.
      detail: /^its samples are from \d{3} s before the time asked for; check its clock and any cache on the way$/,
    }),
  )
})

describe('a name that does not resolve', () => {
  function lookUpAsTold(): void {
    const real = dns.lookup
    const fake = (name: string, options: dns.LookupAllOptions, callback: (...answer: unknown[]) => void) => {
      if (name !== NAME) return real(name, options, callback)
      const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${NAME}`), { code: 'ENOTFOUND' })
      const found = options.all ? [[{ address: '127.0.0.1', family: 4 }]] : ['127.0.0.1', 4]
      process.nextTick(() => (resolves ? callback(null, ...found) : callback(error)))
    }
    vi.spyOn(dns, 'lookup').mockImplementation(fake as typeof dns.lookup)
  }

  test('DNS failure', { timeout: 180_000 }, async () => {
    lookUpAsTold()
    const resolve = (does: boolean) => {
      resolves = does
    }
    await watchFault({
      name: 'DNS failure',
      host: NAME,
      inThisProcess: true,
      fault: { on: 'name', resolve },
      why: 'unreachable',
      detail: 'the name in HOST does not resolve; check the URL and DNS',
      opensBreaker: true,
    })
  })
})
