import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseConfig } from './config.ts'
import { formatConfigError } from './config-error.ts'
import { KNOWN_KEYS } from './issues.ts'

const ENDPOINTS = 'endpoints: [{ url: http://127.0.0.1:9090 }]'
const METRICS = new Set(['istio_requests_total', 'response_total'])
/** As a shell would put it in; spelt so that it is not put in here. */
const VARIABLE = ['$', '{PROMETHEUS_HOST}'].join('')
const MINIMAL = `clusters:\n  - name: east\n    ${ENDPOINTS}\n`

/** The errors of a file as the user reads them. */
function errorsOf(text: string): readonly string[] {
  const parsed = parseConfig(text, 'g.yaml', METRICS)
  return 'errors' in parsed ? parsed.errors.map(formatConfigError) : []
}

function configOf(text: string) {
  const parsed = parseConfig(text, 'g.yaml', METRICS)
  if ('errors' in parsed) throw new Error(parsed.errors.map(formatConfigError).join('\n'))
  return parsed.config
}

test('a minimal file gets every default, in SI units', () => {
  expect(configOf(MINIMAL)).toEqual({
    listen: { host: '127.0.0.1', port: 8700 },
    refreshSeconds: 10,
    bucketRefreshSeconds: null,
    maxLoad: 0.2,
    rateWindowSeconds: null,
    clusters: [
      {
        name: 'east',
        endpoints: [
          {
            url: 'http://127.0.0.1:9090',
            auth: { kind: 'none' },
            headers: {},
            caFile: null,
            clientCertificate: null,
            proxy: null,
            timeoutSeconds: 10,
            concurrency: 4,
            rateWindowSeconds: null,
            scrapeIntervalSeconds: null,
          },
        ],
        dialects: 'auto',
        overrides: {},
      },
    ],
    discover: [],
    routes: [],
    ingresses: [],
    services: [],
    aliases: [],
    groups: [],
    goals: [],
    auth: null,
    assetsDirectory: null,
    lastGoodDirectory: 'temporary',
    links: {
      directory: null,
      store: null,
      keepForSeconds: null,
      maxCount: 10_000,
      maxBytes: 1_048_576,
      unfurl: true,
      preview: null,
    },
    tools: [],
    log: { level: 'info' },
    limits: {
      maxResponseBytes: 50_331_648,
      maxSeries: 200_000,
      maxPoints: 11_000,
      queryTimeoutSeconds: 10,
      lastGoodForSeconds: 300,
      softDeadlineSeconds: 3,
      concurrency: 64,
      pastSnapshotBytes: 67_108_864,
    },
  })
})

test('every setting arrives', () => {
  const config = configOf(`
listen: "[::]:80"
auth: none
refresh: 5s
bucketRefresh: 1m
maxLoad: 0.5
rateWindow: 90s
clusters:
  - name: east
    endpoints:
      - { url: "https://p.example.com/prom/", bearerTokenFile: token, caFile: ca.pem, headers: { X-Scope-OrgID: a } }
      - url: https://q.example.com
        basicAuth: { username: u, passwordFile: p }
        timeout: 500ms
        rateWindow: 2m
        scrapeInterval: 30s
      - url: https://r.example.com
        oauth2: { tokenUrl: "https://login.example.com/token", clientId: c, clientSecretFile: s, scopes: [read], params: { audience: a } }
        certFile: c.pem
        keyFile: k.pem
        proxy: http://proxy.example.com:3128
        concurrency: 2
    dialects: [linkerd]
routes: [{ host: "*.Example.com", to: east/shop/statefulset:db }, { address: "203.0.113.20:*", to: east/a/b }]
ingresses: [{ cluster: east, workload: in/controller, addresses: ["203.0.113.20"], hosts: [Shop.example.com] }]
log: { level: debug }
lastGoodDirectory: kept
limits: { maxResponseBytes: 1MiB, maxSeries: 10, maxPoints: 600, queryTimeout: 3s, softDeadline: 2s, lastGoodFor: 1m, concurrency: 5, pastSnapshots: 1GiB }
`)
  expect(config).toMatchObject({
    listen: { host: '::', port: 80 },
    auth: 'none',
    refreshSeconds: 5,
    bucketRefreshSeconds: 60,
    maxLoad: 0.5,
    rateWindowSeconds: 90,
    routes: [
      { match: { kind: 'host', glob: '*.example.com' }, to: 'east/shop/statefulset:db' },
      { match: { kind: 'address', glob: '203.0.113.20:*' }, to: 'east/a/b' },
    ],
    ingresses: [
      { cluster: 'east', workload: 'in/controller', addresses: ['203.0.113.20'], hosts: ['shop.example.com'] },
    ],
    log: { level: 'debug' },
    lastGoodDirectory: 'kept',
    limits: {
      maxResponseBytes: 1_048_576,
      maxSeries: 10,
      maxPoints: 600,
      queryTimeoutSeconds: 3,
      lastGoodForSeconds: 60,
      softDeadlineSeconds: 2,
      concurrency: 5,
      pastSnapshotBytes: 1_073_741_824,
    },
  })
  expect(config.clusters[0]?.endpoints).toEqual([
    {
      url: 'https://p.example.com/prom',
      auth: { kind: 'bearer', tokenFile: 'token' },
      headers: { 'X-Scope-OrgID': 'a' },
      caFile: 'ca.pem',
      clientCertificate: null,
      proxy: null,
      timeoutSeconds: 3,
      concurrency: 4,
      rateWindowSeconds: null,
      scrapeIntervalSeconds: null,
    },
    {
      url: 'https://q.example.com',
      auth: { kind: 'basic', username: 'u', passwordFile: 'p' },
      headers: {},
      caFile: null,
      clientCertificate: null,
      proxy: null,
      timeoutSeconds: 0.5,
      concurrency: 4,
      rateWindowSeconds: 120,
      scrapeIntervalSeconds: 30,
    },
    {
      url: 'https://r.example.com',
      auth: {
        kind: 'oauth2',
        tokenUrl: 'https://login.example.com/token',
        clientId: 'c',
        clientSecretFile: 's',
        scopes: ['read'],
        params: { audience: 'a' },
      },
      headers: {},
      caFile: null,
      clientCertificate: { certFile: 'c.pem', keyFile: 'k.pem' },
      proxy: 'http://proxy.example.com:3128',
      timeoutSeconds: 3,
      concurrency: 2,
      rateWindowSeconds: null,
      scrapeIntervalSeconds: null,
    },
  ])
})

test('two entries may take other clusters of one endpoint each, and no endpoint is listed twice', () => {
  const errorsOf = (discover: string) => {
    const parsed = parseConfig(`discover: [${discover}]\n`, 'g.yaml')
    return 'errors' in parsed ? parsed.errors.map(({ message }) => message) : []
  }
  const url = 'url: "http://a:10902"'
  expect(errorsOf(`{ ${url}, include: [east] }, { ${url}, exclude: [east] }`)).toEqual([])
  expect(errorsOf(`{ ${url}, clusterLabel: region }, { ${url} }`)).toEqual([])
  expect(errorsOf(`{ ${url}, include: [east] }, { ${url}, include: [east] }`)).toEqual([
    'the same endpoint as discover[0]; remove one of them',
  ])
})

describe('one mistake, one line that says where, what and what to do', () => {
  const cluster = (inside: string) => `clusters:\n  - name: east\n    ${inside}\n`
  const endpoint = (inside: string) => cluster(`endpoints:\n      - ${inside}`)
  test.each([
    { text: '', starts: 'g.yaml:1:1: the file holds no settings' },
    { text: '- a\n', starts: 'g.yaml:1:1: the file holds no settings' },
    { text: 'refresh: 5s\n', starts: 'g.yaml:1:1: clusters: is missing; a list of clusters is needed' },
    { text: 'clusters: []\n', starts: 'g.yaml:1:11: clusters: name at least one cluster' },
    { text: `${MINIMAL}clusters: []\n`, starts: 'g.yaml:4:1: this key is written twice' },
    { text: 'clusters: [\n', starts: 'g.yaml:' },
    { text: 'clusters:\n\t- name: east\n', starts: 'g.yaml:2:1: a tab is used to indent' },
    { text: `---\n${MINIMAL}---\nlog: {}\n`, starts: 'g.yaml:5:1: a second document begins here, but one file is' },
    { text: `${MINIMAL}...\n# more\n---\nlog: {}\n`, starts: 'g.yaml:6:1: a second document begins here' },
    { text: `${MINIMAL}refesh: 5s\n`, starts: 'g.yaml:4:1: refesh: unknown key; did you mean refresh?' },
    { text: `${MINIMAL}zzz: 5s\n`, starts: 'g.yaml:4:1: zzz: unknown key; known here: listen, refresh' },
    { text: 'discover: []\n', starts: 'g.yaml:1:1: clusters: is missing; a list of clusters is needed' },
    { text: 'discover: [{}]\n', starts: 'g.yaml:1:12: discover[0]: give the url of an endpoint that holds many' },
    {
      text: 'discover: [{ clusterLabel: c }]\n',
      starts: 'g.yaml:1:12: discover[0]: give url, or endpoints if several',
    },
    {
      text: 'discover: [{ url: "http://a", clusterLabel: "a-b" }]\n',
      starts: 'g.yaml:1:45: discover[0].clusterLabel: use letters, digits and _ only',
    },
    {
      text: 'discover: [{ url: "http://a", replicaLabel: r }]\n',
      starts: 'g.yaml:1:31: discover[0].replicaLabel: unknown key; did you mean replicaLabels?',
    },
    {
      text: 'discover: [{ proxy: "http://p", endpoints: [{ url: "http://a" }] }]\n',
      starts: 'g.yaml:1:14: discover[0].proxy: with endpoints, proxy belongs to each of them',
    },
    {
      text: 'discover: [{ url: "http://a", bearerTokenFile: t, basicAuth: { username: u, passwordFile: p } }]\n',
      starts: 'g.yaml:1:51: discover[0].basicAuth: use only one of bearerTokenFile, basicAuth and oauth2',
    },
    {
      text: 'discover: [{ url: "http://a", rename: { "EU 1": "a/b" } }]\n',
      starts: 'g.yaml:1:49: discover[0].rename.EU 1: use letters, digits, -, _ and . only',
    },
    {
      text: `${MINIMAL}discover: [{ url: "http://127.0.0.1:9090/" }]\n`,
      starts: 'g.yaml:4:19: discover[0].url: the same endpoint as clusters[0].endpoints[0]',
    },
    { text: 'discover: [{ url: "http://a", refresh: 1ms }]\n', starts: 'g.yaml:1:40: discover[0].refresh: ' },
    {
      text: endpoint('{ url: http://a, scrapeInterval: often }'),
      starts: "g.yaml:4:42: clusters[0].endpoints[0].scrapeInterval: 'often' is not a duration",
    },
    { text: `${MINIMAL}audit: {}\n`, starts: 'g.yaml:4:1: audit: not supported by this version yet' },
    { text: `${MINIMAL}links: { maxCount: 0 }\n`, starts: 'g.yaml:4:20: links.maxCount: use 1 to 1000000' },
    { text: `${MINIMAL}links: { keepFor: 1m }\n`, starts: "g.yaml:4:19: links.keepFor: '1m' is out of range" },
    {
      text: `${MINIMAL}tools: [{ name: G, url: 'https://g.example.com/{nam}' }]\n`,
      starts: 'g.yaml:4:25: tools[0].url: there is no {nam}; did you mean {name}?',
    },
    {
      text: `${MINIMAL}tools: [{ name: G, url: 'https://{name}.example.com/' }]\n`,
      starts: 'g.yaml:4:25: tools[0].url: a placeholder must not choose the host',
    },
    {
      text: `${MINIMAL}tools: [{ name: G, url: 'javascript:alert(1)' }]\n`,
      starts: "g.yaml:4:25: tools[0].url: 'javascript:alert(1)' is not an http or https URL",
    },
    {
      text: `${MINIMAL}tools: [{ name: G, url: 'https://g.example.com/{name' }]\n`,
      starts: 'g.yaml:4:25: tools[0].url: a brace stands alone; close it',
    },
    {
      text: `${MINIMAL}tools: [{ name: G, url: 'https://g.example.com/{cluster}/{namespace}', for: cluster }]\n`,
      starts: 'g.yaml:4:25: tools[0].url: {namespace} is of a workload; use for: workload',
    },
    {
      text: endpoint(`{ url: "http://${VARIABLE}:9090" }`),
      starts: `g.yaml:4:16: clusters[0].endpoints[0].url: ${VARIABLE} stands for nothing here: `,
    },
    {
      text: `${MINIMAL}discover: [{ url: "HTTP://127.0.0.1:9090" }]\n`,
      starts: 'g.yaml:4:19: discover[0].url: the same endpoint as clusters[0].endpoints[0]',
    },
    {
      text: `clusters: [{ name: a, endpoints: [{ url: "https://a:443" }] }, { name: b, endpoints: [{ url: "https://A" }] }]\n`,
      starts: 'g.yaml:1:94: clusters[1].endpoints[0].url: the same endpoint as clusters[0].endpoints[0]',
    },
    { text: `${MINIMAL}limits:\n`, starts: 'g.yaml:4:8: limits: settings such as { queryTimeout: 10s } are expected' },
    { text: `${MINIMAL}log:\n`, starts: 'g.yaml:4:5: log: settings such as { level: info } are expected here' },
    {
      text: endpoint('{ url: http://a, basicAuth: }'),
      starts: 'g.yaml:4:37: clusters[0].endpoints[0].basicAuth: { username: ..., passwordFile: ... } is',
    },
    {
      text: `clusters: [{ name: a, endpoints: [{ url: http://a }], overrides: { istio_request_total: team_requests } }]\n`,
      starts:
        "g.yaml:1:68: clusters[0].overrides.istio_request_total: no metric of a mesh that Goldseam reads is named 'istio_request_total'; did you mean istio_requests_total?",
    },
    { text: `${MINIMAL}refresh: 5\n`, starts: 'g.yaml:4:10: refresh: a duration such as 10s or 5m is expected here' },
    { text: `${MINIMAL}refresh: soon\n`, starts: "g.yaml:4:10: refresh: 'soon' is not a duration" },
    { text: `${MINIMAL}refresh: 1ms\n`, starts: "g.yaml:4:10: refresh: '1ms' is out of range" },
    { text: `${MINIMAL}rateWindow: often\n`, starts: "g.yaml:4:13: rateWindow: 'often' is not a duration" },
    { text: `${MINIMAL}rateWindow: 5\n`, starts: 'g.yaml:4:13: rateWindow: use auto, or a duration' },
    { text: `${MINIMAL}listen: 8700\n`, starts: 'g.yaml:4:9: listen: host:port is expected here' },
    { text: `${MINIMAL}listen: ":99999"\n`, starts: "g.yaml:4:9: listen: ':99999' is not host:port" },
    { text: `${MINIMAL}listen: 0.0.0.0:80\n`, starts: 'g.yaml:4:9: listen: other machines could read all metrics' },
    { text: `${MINIMAL}auth: oidc\n`, starts: 'g.yaml:4:7: auth: use none, or tokens' },
    { text: `${MINIMAL}log: { level: loud }\n`, starts: 'g.yaml:4:15: log.level: use one of silent' },
    { text: `${MINIMAL}limits: { maxSeries: lots }\n`, starts: 'g.yaml:4:22: limits.maxSeries: a whole number' },
    { text: `${MINIMAL}limits: { maxPoints: 20000 }\n`, starts: 'g.yaml:4:22: limits.maxPoints: use 1 to 11000' },
    {
      text: `${MINIMAL}limits: { maxResponseBytes: 64MB }\n`,
      starts: "g.yaml:4:29: limits.maxResponseBytes: '64MB' is not",
    },
    {
      text: `clusters:\n  - ${ENDPOINTS}\n`,
      starts: 'g.yaml:2:5: clusters[0].name: is missing; a name is expected here',
    },
    {
      text: 'clusters:\n  - name: east\n',
      starts: 'g.yaml:2:5: clusters[0].endpoints: is missing; a list of endpoints',
    },
    { text: 'clusters:\n  - east\n', starts: 'g.yaml:2:5: clusters[0]: a cluster such as' },
    {
      text: cluster('endpoints: []'),
      starts: 'g.yaml:3:16: clusters[0].endpoints: a cluster needs at least one endpoint',
    },
    { text: `clusters:\n  - name: East\n    ${ENDPOINTS}\n`, starts: 'g.yaml:2:11: clusters[0].name: use lower-case' },
    {
      text: `${MINIMAL}  - name: east\n    endpoints: [{ url: http://b }]\n`,
      starts: "g.yaml:4:11: clusters[1].name: 'east' is also",
    },
    {
      text: `${MINIMAL}  - name: west\n    ${ENDPOINTS}\n`,
      starts: 'g.yaml:5:24: clusters[1].endpoints[0].url: the same endpoint as clusters[0]',
    },
    {
      text: cluster(`${ENDPOINTS}\n    dialects: [itsio]`),
      starts: 'g.yaml:4:15: clusters[0].dialects: use auto, or a list of: linkerd, istio',
    },
    {
      text: endpoint('url: prometheus:9090'),
      starts: "g.yaml:4:14: clusters[0].endpoints[0].url: 'prometheus:9090' is not an http or https URL",
    },
    { text: endpoint('url: ftp://a'), starts: "g.yaml:4:14: clusters[0].endpoints[0].url: 'ftp://a' is not" },
    {
      text: endpoint('url: http://u:secret@a'),
      starts: 'g.yaml:4:14: clusters[0].endpoints[0].url: credentials do not belong',
    },
    { text: endpoint('url: http://a?x=1'), starts: 'g.yaml:4:14: clusters[0].endpoints[0].url: remove the query' },
    { text: endpoint('url: http://a#x'), starts: 'g.yaml:4:14: clusters[0].endpoints[0].url: remove the query' },
    {
      text: endpoint('{ url: http://a, bearerToken: x }'),
      starts: 'g.yaml:4:26: clusters[0].endpoints[0].bearerToken: unknown key; did you mean bearerTokenFile?',
    },
    {
      text: endpoint('{ url: http://a, oauth2: {} }'),
      starts: 'g.yaml:4:34: clusters[0].endpoints[0].oauth2.tokenUrl: is missing; the URL that hands out tokens',
    },
    {
      text: endpoint('{ url: http://a, oauth2: { tokenUrl: "https://u:p@l/t", clientId: c, clientSecretFile: s } }'),
      starts:
        'g.yaml:4:46: clusters[0].endpoints[0].oauth2.tokenUrl: credentials do not belong in the URL; use clientId',
    },
    {
      text: endpoint(
        '{ url: http://a, oauth2: { tokenUrl: "https://l/t", clientId: c, secret: s, clientSecretFile: s } }',
      ),
      starts: 'g.yaml:4:74: clusters[0].endpoints[0].oauth2.secret: unknown key; known here: tokenUrl',
    },
    ...[
      { param: 'scope: a', says: 'scope: use scopes' },
      { param: 'client_id: a', says: 'client_id: use clientId' },
      { param: 'client_secret: a', says: 'client_secret: use clientSecretFile, so that the secret stays out' },
      { param: 'grant_type: a', says: 'grant_type: it is always client_credentials; remove it' },
      { param: 'audience: 7', says: 'audience: a text (quote numbers) is expected here' },
    ].map(({ param, says }) => ({
      text: endpoint(
        `{ url: "http://a", oauth2: { tokenUrl: "https://l/t", clientId: c, clientSecretFile: s, params: { ${param} } } }`,
      ),
      starts: `g.yaml:4:${109 + param.indexOf(':')}: clusters[0].endpoints[0].oauth2.params.${says}`,
    })),
    {
      text: endpoint('{ url: https://a, certFile: c.pem }'),
      starts: 'g.yaml:4:27: clusters[0].endpoints[0].certFile: keyFile is needed too',
    },
    {
      text: endpoint('{ url: http://a, certFile: c.pem, keyFile: k.pem }'),
      starts: 'g.yaml:4:26: clusters[0].endpoints[0].certFile: a certificate is only shown over https',
    },
    {
      text: endpoint('{ url: http://a, proxy: "socks5://p:1" }'),
      starts: "g.yaml:4:33: clusters[0].endpoints[0].proxy: 'socks5://p:1' is not an http or https URL",
    },
    {
      text: endpoint('{ url: http://a, concurrency: 0 }'),
      starts: 'g.yaml:4:39: clusters[0].endpoints[0].concurrency: use 1 to 64',
    },
    {
      text: endpoint('{ url: http://a, bearerTokenFile: x, basicAuth: { username: u, passwordFile: p } }'),
      starts: 'g.yaml:4:46: clusters[0].endpoints[0].basicAuth: use only one of bearerTokenFile, basicAuth and oauth2',
    },
    {
      text: endpoint('{ url: http://a, basicAuth: { username: u } }'),
      starts: 'g.yaml:4:37: clusters[0].endpoints[0].basicAuth.passwordFile: is missing',
    },
    {
      text: endpoint('{ url: http://a, headers: { Authorization: x } }'),
      starts: 'g.yaml:4:52: clusters[0].endpoints[0].headers.Authorization: use bearerTokenFile',
    },
    ...[
      { name: 'Accept', says: 'Goldseam sets this header itself; remove it' },
      { name: 'accept-encoding', says: 'Goldseam sets this header itself; remove it' },
      { name: 'Expect', says: 'this header speaks of the connection, which Goldseam sees to itself; remove it' },
      { name: 'upgrade', says: 'this header speaks of the connection' },
      { name: 'Keep-Alive', says: 'this header speaks of the connection' },
    ].map(({ name, says }) => ({
      text: endpoint(`{ url: http://a, headers: { ${name}: x } }`),
      starts: `g.yaml:4:${39 + name.length}: clusters[0].endpoints[0].headers.${name}: ${says}`,
    })),
    {
      text: endpoint('{ url: http://a, headers: { X-Scope-OrgID: a, B: b, x-scope-orgid: c } }'),
      starts:
        'g.yaml:4:76: clusters[0].endpoints[0].headers.x-scope-orgid: the same header as X-Scope-OrgID above; keep one',
    },
    {
      text: endpoint('{ url: http://a, headers: { "a b": x } }'),
      starts: 'g.yaml:4:37: clusters[0].endpoints[0].headers.a b: this is not an HTTP header name',
    },
    {
      text: `${MINIMAL}routes: [{ host: a, to: wset/a/b }]\n`,
      starts: "g.yaml:4:25: routes[0].to: no cluster is named 'wset'; clusters are: east",
    },
    {
      text: `${MINIMAL}routes: [{ host: a, to: eats/a/b }]\n`,
      starts: "g.yaml:4:25: routes[0].to: no cluster is named 'eats'; did you mean east?",
    },
    {
      text: `${MINIMAL}routes: [{ host: a, to: eas/a/b }]\n`,
      starts: "g.yaml:4:25: routes[0].to: no cluster is named 'eas'; did you mean east?",
    },
    {
      text: `${MINIMAL}routes: [{ to: east/a/b }]\n`,
      starts: 'g.yaml:4:10: routes[0]: give exactly one of host and address',
    },
    {
      text: `${MINIMAL}routes: [{ host: a, address: b, to: east/a/b }]\n`,
      starts: 'g.yaml:4:10: routes[0]: give exactly one',
    },
    {
      text: `${MINIMAL}routes: [{ host: a, to: api }]\n`,
      starts: 'g.yaml:4:25: routes[0].to: write cluster/namespace/name',
    },
    {
      text: `${MINIMAL}ingresses: [{ cluster: wets, workload: a/b, hosts: [a] }]\n`,
      starts: "g.yaml:4:24: ingresses[0].cluster: no cluster is named 'wets'",
    },
    {
      text: `${MINIMAL}ingresses: [{ cluster: east, workload: a/b }]\n`,
      starts: 'g.yaml:4:13: ingresses[0]: give the addresses or the hosts',
    },
  ])('$starts', ({ text, starts }) => {
    const errors = errorsOf(text)
    expect(errors.join('\n')).toContain(starts)
    expect(errors[0]?.startsWith(starts)).toBe(true)
  })
})

test('all mistakes are told at once, in the order of the file', () => {
  const errors = errorsOf(`listen: nowhere
refesh: 5s
clusters:
  - name: East
    endpoints: [{ url: "ftp://a" }]
  - name: west
    endpoints: []
ingresses:
  - { cluster: north, workload: a/b, hosts: [a] }
`)
  expect(errors.map((error) => error.split(':')[1])).toEqual(['1', '2', '4', '5', '7', '9'])
})

test.each([
  'clusters:\n  - name: a\n    endpoints: [{ url: "htp://u:hunter2@a" }]\n',
  'clusters:\n  - name: a\n    endpoints: [{ url: "u:hunter2@a:9090" }]\n',
  'clusters:\n  - name: a\n    endpoints: [{ url: "http://u:hunter2/3@a:port" }]\n',
  `${MINIMAL}links: { preview: { url: "ftp://u:hunter2@a", keyFile: k } }\n`,
  `${MINIMAL}links: { preview: { url: "https://:hunter2@a", keyFile: k } }\n`,
  `${MINIMAL}tools: [{ name: a, url: "ftp://u:hunter2@a" }]\n`,
])('a password in a malformed URL is not repeated: %s', (text) => {
  const errors = errorsOf(text).join()
  expect(errors).not.toBe('')
  expect(errors).not.toContain('hunter2')
})

test.each([
  ['goals: [{ workload: */shop/*, success: 99% }]', 'g.yaml:4:21: goals[0].workload: ', '*/shop/*'],
  [
    'tools: [{ name: a, url: "https://a/", workloads: [x, */shop/web] }]',
    'g.yaml:4:54: tools[0].workloads[1]: ',
    '*/shop/web',
  ],
])('a glob without quotes is named, and where it is: %s', (line, starts, written) => {
  expect(errorsOf(`${MINIMAL}${line}\n`)).toEqual([
    `${starts}'${written}' begins with *, which has a meaning of its own in YAML; put it in quotes: "${written}"`,
  ])
})

test('references to what is named before stand for it, and do not unfold without an end', () => {
  expect(errorsOf(`${MINIMAL.replace('http', '&at http')}tools: [{ name: a, url: *at }]\n`)).toEqual([])
  const nine = (name: string) => Array(9).fill(`*${name}`).join(',')
  const bomb = `x: &a [1,1,1,1,1,1,1,1,1]\ny: &b [${nine('a')}]\nz: &c [${nine('b')}]\nw: [${nine('c')}]\n`
  expect(errorsOf(`${MINIMAL}${bomb}`).join()).toContain('g.yaml:1:1: not to be read: ')
})

test.each([
  [
    'auth: { tokens: [], walls: [{ name: noc, clusters: [esat] }] }',
    "auth.walls[0].clusters[0]: no cluster is named 'esat'; did you mean east?",
  ],
  [
    'services: [{ service: east/shop/web, workloads: [wets/shop/web] }]',
    "services[0].workloads[0]: no cluster is named 'wets'",
  ],
  ['links: { preview: { ur: x } }', 'links.preview.ur: unknown key'],
])("a name that is nobody's: %s", (line, says) => {
  expect(errorsOf(`${MINIMAL}${line}\n`).join('\n')).toContain(says)
})

test.each(['127.0.0.1:1', 'localhost:80', '"[::1]:80"', '127.9.9.9:80'])('%s needs no auth setting', (listen) => {
  expect(errorsOf(`${MINIMAL}listen: ${listen}\n`)).toEqual([])
})

test('the same URL with another tenant header is another endpoint', () => {
  expect(
    errorsOf(`clusters:
  - { name: a, endpoints: [{ url: http://mimir, headers: { X-Scope-OrgID: a } }] }
  - { name: b, endpoints: [{ url: http://mimir, headers: { X-Scope-OrgID: b } }] }
`),
  ).toEqual([])
})

test.each(['bearerTokenFile: FILE', 'basicAuth: { username: FILE, passwordFile: p }'])(
  'the same URL asked as somebody else is another endpoint, and as the same one is not: %s',
  (how) => {
    const text = (one: string, other: string) => `clusters:
  - { name: a, endpoints: [{ url: http://gateway, ${how.replace('FILE', one)} }] }
  - { name: b, endpoints: [{ url: http://gateway, ${how.replace('FILE', other)} }] }
`
    expect(errorsOf(text('x', 'y'))).toEqual([])
    expect(errorsOf(text('x', 'x')).join()).toContain('the same endpoint as clusters[0].endpoints[0]')
  },
)

test('an endpoint that holds many clusters: everything has a default, and what is written arrives', () => {
  const { clusters, discover, routes } = configOf(`
limits: { queryTimeout: 3s }
discover:
  - url: http://thanos:10902/
  - endpoints: [{ url: "https://a", headers: { THANOS-TENANT: t }, timeout: 5s }, { url: "https://b" }]
    clusterLabel: k8s
    replicaLabels: [replica, rule_replica]
    include: ["prod-*"]
    exclude: [prod-0]
    rename: { prod-1: East }
    refresh: 1m
    forgetAfter: 2h
    maxClusters: 5
    dedup: false
    partialResponse: false
    dialects: [linkerd]
routes: [{ host: a, to: whoever-comes/shop/api }]
`)
  expect(clusters).toEqual([])
  expect(routes).toHaveLength(1)
  expect(discover[0]).toMatchObject({
    endpoints: [{ url: 'http://thanos:10902', auth: { kind: 'none' }, timeoutSeconds: 3, concurrency: 4 }],
    clusterLabel: 'cluster',
    replicaLabels: [],
    include: [],
    exclude: [],
    rename: {},
    refreshSeconds: 10,
    forgetAfterSeconds: 86_400,
    maxClusters: 100,
    dedup: true,
    partialResponse: true,
    dialects: 'auto',
  })
  expect(discover[1]).toMatchObject({
    endpoints: [
      { url: 'https://a', headers: { 'THANOS-TENANT': 't' }, timeoutSeconds: 5 },
      { url: 'https://b', timeoutSeconds: 3 },
    ],
    clusterLabel: 'k8s',
    replicaLabels: ['replica', 'rule_replica'],
    include: ['prod-*'],
    exclude: ['prod-0'],
    rename: { 'prod-1': 'East' },
    refreshSeconds: 60,
    forgetAfterSeconds: 7_200,
    maxClusters: 5,
    dedup: false,
    partialResponse: false,
    dialects: ['linkerd'],
  })
})

test('groups name workloads or globs, of clusters that there are', () => {
  expect(configOf(`${MINIMAL}groups: [{ name: web, workloads: ["*/shop/web", east/shop/web2] }]`).groups).toEqual([
    { name: 'web', workloads: ['*/shop/web', 'east/shop/web2'] },
  ])
  const errors = errorsOf(
    `${MINIMAL}groups:\n  - { name: web, workloads: [eats/shop/web] }\n  - { name: web, workloads: [shop/web] }\n`,
  )
  expect(errors.join('\n')).toContain("no cluster is named 'eats'; did you mean east?")
  expect(errors.join('\n')).toContain("'web' is the name of groups[0] already")
  expect(errors.join('\n')).toContain('write cluster/namespace/name')
})

test('goals in SI units', () => {
  const text = `${MINIMAL}goals:
  - { workload: '*', success: 99.9% }
  - { workload: east/shop/cart, success: 0.9995, latency: { p99: 500ms, mean: 30ms }, minimumRate: 800, period: 7d }
`
  expect(configOf(text).goals).toEqual([
    {
      workload: '*',
      successRatio: expect.closeTo(0.999, 12),
      latencySeconds: {},
      leastRequestsPerSecond: null,
      periodSeconds: null,
    },
    {
      workload: 'east/shop/cart',
      successRatio: 0.9995,
      latencySeconds: { p99: 0.5, mean: 0.03 },
      leastRequestsPerSecond: 800,
      periodSeconds: 604_800,
    },
  ])
})

test.each([
  {
    goal: '{ workload: east/shop/cart }',
    says: '4:9: goals[0]: give at least one of success, latency and minimumRate',
  },
  { goal: '{ workload: eats/shop/cart, success: 99% }', says: "no cluster is named 'eats'; did you mean east?" },
  { goal: '{ workload: cart, success: 99% }', says: 'goals[0].workload: write cluster/namespace/name' },
  { goal: '{ workload: "*", success: 99.9 }', says: "'99.9' is not a share between 0 and 1; write 99.9% or 0.999" },
  { goal: '{ workload: "*", success: 100% }', says: "'100%' is not a share between 0 and 1" },
  { goal: '{ workload: "*", latency: { p98: 1s } }', says: 'goals[0].latency.p98: unknown key; did you mean p95?' },
  { goal: '{ workload: "*", latency: { p99: 500 } }', says: 'a duration such as 10s or 5m is expected here' },
  { goal: '{ workload: "*", minimumRate: 0 }', says: 'use more than 0 requests per second' },
  { goal: '{ workload: "*", success: 99%, period: 30s }', says: 'out of range' },
])('a goal that cannot be: $goal', ({ goal, says }) => {
  expect(errorsOf(`${MINIMAL}goals: [${goal}]\n`).join('\n')).toContain(says)
})

test('the example file is valid and shows every top-level key', () => {
  const text = readFileSync(new URL('../../../deploy/goldseam.example.yaml', import.meta.url), 'utf8')
  expect(errorsOf(text)).toEqual([])
  const minimal = configOf(MINIMAL)
  const example = configOf(text)
  for (const key of Object.keys(minimal)) expect(text).toMatch(new RegExp(`^(# )?${key.replace('Seconds', '')}:`, 'm'))
  for (const key of ['listen', 'refreshSeconds', 'rateWindowSeconds', 'auth', 'log', 'limits'] as const)
    expect(example[key]).toEqual(minimal[key])
})

test("the README's table names exactly the keys there are", () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
  const told = [...readme.matchAll(/^\| `([a-zA-Z0-9.[\]]+)` \|/gm)].map(([, key]) => key?.replaceAll('[]', ''))
  const inside = (place: string) => Object.keys(KNOWN_KEYS).includes(place)
  // What a row explains in its text rather than key by key.
  const summed = [
    'routes',
    'ingresses',
    'services',
    'aliases',
    'groups',
    'goals.latency',
    'discover.endpoints',
    'links.preview',
    ...Object.keys(KNOWN_KEYS).filter((place) => /Auth$|oauth2$/.test(place)),
  ]
  const asEndpoint = KNOWN_KEYS['clusters.endpoints'] ?? []
  const keys = Object.entries(KNOWN_KEYS).flatMap(([place, names]) =>
    names
      .filter(
        (name) => !summed.includes(place) && (place !== 'discover' || name === 'url' || !asEndpoint.includes(name)),
      )
      .map((name) => (place === '' ? name : `${place}.${name}`)),
  )
  expect(told.toSorted()).toEqual(keys.filter((key) => summed.includes(key) || !inside(key)).toSorted())
})
