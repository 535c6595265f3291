import { type ConfigError, type ConfigPath, type ErrorAt, pathText } from './config-error.ts'
import { closest } from './did-you-mean.ts'
import { endpointKeys } from './endpoint-schema.ts'
import { isLoopback, parseListen } from './listen.ts'
import { overrideErrors } from './override-errors.ts'
import { list, record } from './raw.ts'
import { toolErrors } from './tool-errors.ts'
import { variableErrors } from './variable-errors.ts'

/**
 * Rules that concern several values at once. They look at the file as written, so that they speak up beside the
 * schema's errors and not only after those are mended; what the schema has refused already is passed over here.
 * `metrics`: those that an override may rename; null: not looked at.
 */
export function crossErrors(raw: unknown, metrics: ReadonlySet<string> | null, at: ErrorAt): ConfigError[] {
  const file = record(raw)
  const listed = list(file.clusters).map((cluster) => record(cluster).name)
  // Which names a label will hold is not known yet: then every name may be right.
  const names = list(file.discover).length > 0 ? null : listed
  return [
    ...variableErrors(raw, at),
    ...openToTheNetwork(file, at),
    ...previewOfNothing(file, at),
    ...linkStoreErrors(record(file.links), at),
    ...noClusters(file, at),
    ...duplicateNames(listed, at),
    ...duplicateEndpoints(endpointPlaces(file), at),
    ...endpointPlaces(file).flatMap(({ endpoint, path }) => endpointErrors(endpoint, path, at)),
    ...(metrics === null ? [] : overrideErrors(file, metrics, at)),
    ...list(file.tools).flatMap((tool, index) => toolErrors(record(tool), ['tools', index], at)),
    ...list(file.discover).flatMap((entry, index) => discoverErrors(record(entry), ['discover', index], at)),
    ...routeErrors(list(file.routes), names, at),
    ...list(file.ingresses).flatMap((ingress, index) =>
      ingressErrors(record(ingress), ['ingresses', index], names, at),
    ),
    ...list(file.services).flatMap((service, index) => serviceErrors(record(service), ['services', index], names, at)),
    ...aliasErrors(list(file.aliases), names, at),
    ...groupErrors(list(file.groups), names, at),
    ...wallErrors(list(record(file.auth).walls), names, at),
    ...list(file.goals).flatMap((goal, index) => goalErrors(record(goal), ['goals', index], names, at)),
  ]
}

function openToTheNetwork(file: Record<string, unknown>, at: ErrorAt): ConfigError[] {
  const listen = typeof file.listen === 'string' ? parseListen(file.listen) : null
  if (listen === null || isLoopback(listen.host) || file.auth !== undefined) return []
  const advice =
    'listen on 127.0.0.1, name who may look (auth: { tokens: [...] }), or add `auth: none` if everybody who reaches it may'
  return [at(['listen'], `other machines could read all metrics at ${listen.host} without signing in; ${advice}`)]
}

/** Pictures say what pages say; where these say nothing, there is nothing to sign. */
function previewOfNothing(file: Record<string, unknown>, at: ErrorAt): ConfigError[] {
  const links = record(file.links)
  if (links.preview === undefined) return []
  const silent =
    links.unfurl === false ? 'with unfurl: false' : record(file.auth).tokens ? 'where sign-in is needed' : ''
  return silent === '' ? [] : [at(['links', 'preview'], `${silent} pages tell previews nothing; remove one of the two`)]
}

function linkStoreErrors(links: Record<string, unknown>, at: ErrorAt): ConfigError[] {
  const { store, directory } = links
  const places = store !== undefined && directory !== undefined
  const errors = places ? [at(['links'], 'links are kept in one place; remove directory or store', 'store')] : []
  for (const key of ['storePasswordFile', 'storeCaFile'])
    if (store === undefined && links[key] !== undefined) errors.push(at(['links'], 'belongs to links.store', key))
  const plain = typeof store === 'string' && !/^rediss:|sslmode=verify-full$/i.test(store)
  if (plain && links.storeCaFile !== undefined)
    errors.push(
      at(['links'], 'certificates need TLS: a store such as rediss://... or ...?sslmode=verify-full', 'storeCaFile'),
    )
  return errors
}

function duplicateNames(names: readonly unknown[], at: ErrorAt): ConfigError[] {
  return names.flatMap((name, index) => {
    const first = names.indexOf(name)
    if (typeof name !== 'string' || first === index) return []
    return [
      at(
        ['clusters', index, 'name'],
        `'${name}' is also the name of clusters[${first}]; give each cluster its own name`,
      ),
    ]
  })
}

function noClusters(file: Record<string, unknown>, at: ErrorAt): ConfigError[] {
  if (list(file.discover).length > 0) return []
  if (file.clusters === undefined)
    return [
      at(['clusters'], 'is missing; a list of clusters is needed: [{ name: east, endpoints: [{ url: http://... }] }]'),
    ]
  if (!Array.isArray(file.clusters) || file.clusters.length > 0) return []
  return [at(['clusters'], 'name at least one cluster: [{ name: east, endpoints: [{ url: http://... }] }]')]
}

interface Place {
  readonly endpoint: Record<string, unknown>
  readonly path: ConfigPath
  /** Which of its clusters are taken; absent: what is there. */
  readonly part?: string
}

function listedEndpoints(file: Record<string, unknown>): Place[] {
  return list(file.clusters).flatMap((cluster, clusterIndex) =>
    list(record(cluster).endpoints).map((endpoint, index) => ({
      endpoint: record(endpoint),
      path: ['clusters', clusterIndex, 'endpoints', index],
    })),
  )
}

function endpointPlaces(file: Record<string, unknown>): Place[] {
  const discovering = list(file.discover).flatMap((entry, index) => {
    // Two entries may take other clusters of one endpoint each; who is in both is told once they are found.
    const part = JSON.stringify(PART_KEYS.map((name) => record(entry)[name] ?? null))
    return [
      { endpoint: record(entry), path: ['discover', index], part },
      ...list(record(entry).endpoints).map((endpoint, inner) => ({
        endpoint: record(endpoint),
        path: ['discover', index, 'endpoints', inner],
        part,
      })),
    ]
  })
  return [...listedEndpoints(file), ...discovering]
}

/** What may choose clusters behind one address. */
const PART_KEYS = ['clusterLabel', 'include', 'exclude'] as const

/** What may choose a tenant behind one address. */
const TENANT_KEYS = ['headers', 'bearerTokenFile', 'basicAuth', 'oauth2', 'certFile'] as const

/** One Prometheus under two names would count everything twice. Tenants are told apart by how they are asked, so that counts. */
function duplicateEndpoints(places: readonly Place[], at: ErrorAt): ConfigError[] {
  const seen = new Map<string, { readonly text: string; readonly part: string | null }[]>()
  return places.flatMap(({ endpoint, path, part = null }) => {
    const { url } = endpoint
    if (typeof url !== 'string') return []
    const key = JSON.stringify([placeOf(url), ...TENANT_KEYS.map((name) => endpoint[name] ?? null)])
    const before = seen.get(key) ?? []
    const same = before.find((one) => one.part === null || part === null || one.part === part)
    if (same !== undefined) return [at([...path, 'url'], `the same endpoint as ${same.text}; remove one of them`)]
    seen.set(key, [...before, { text: pathText(path), part }])
    return []
  })
}

/** However it is written: letter case, the port that a scheme has anyway, a slash at the end. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return url
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

function discoverErrors(entry: Record<string, unknown>, path: ConfigPath, at: ErrorAt): ConfigError[] {
  if (Object.keys(entry).length === 0) return [at(path, 'give the url of an endpoint that holds many clusters')]
  if (entry.url === undefined && entry.endpoints === undefined)
    return [at(path, 'give url, or endpoints if several hold the same data')]
  if (entry.endpoints === undefined) return []
  const key = ['url', ...Object.keys(endpointKeys)].find((name) => entry[name] !== undefined)
  return key === undefined ? [] : [at(path, `with endpoints, ${key} belongs to each of them`, key)]
}

const WAYS_TO_SIGN_IN = ['bearerTokenFile', 'basicAuth', 'oauth2']

function endpointErrors(endpoint: Record<string, unknown>, path: ConfigPath, at: ErrorAt): ConfigError[] {
  const [, second] = WAYS_TO_SIGN_IN.filter((key) => endpoint[key] !== undefined)
  const errors = second === undefined ? [] : [at(path, 'use only one of bearerTokenFile, basicAuth and oauth2', second)]
  return [...errors, ...certificateErrors(endpoint, path, at)]
}

function certificateErrors(endpoint: Record<string, unknown>, path: ConfigPath, at: ErrorAt): ConfigError[] {
  const given = ['certFile', 'keyFile'].filter((key) => endpoint[key] !== undefined)
  const [key] = given
  if (key === undefined) return []
  if (given.length === 1)
    return [at(path, `${key === 'certFile' ? 'keyFile' : 'certFile'} is needed too: a certificate and its key`, key)]
  const { url } = endpoint
  return typeof url === 'string' && /^http:/i.test(url)
    ? [at(path, 'a certificate is only shown over https; change the url, or remove certFile and keyFile', key)]
    : []
}

function routeErrors(routes: readonly unknown[], names: readonly unknown[] | null, at: ErrorAt): ConfigError[] {
  return routes.flatMap((value, index) => {
    const route = record(value)
    const errors: ConfigError[] = []
    if (value === route && (route.host === undefined) === (route.address === undefined))
      errors.push(at(['routes', index], 'give exactly one of host and address'))
    if (typeof route.to === 'string' && route.to.includes('/'))
      errors.push(...unknownCluster(route.to.split('/', 1)[0] ?? '', names, ['routes', index, 'to'], at))
    return errors
  })
}

function ingressErrors(
  ingress: Record<string, unknown>,
  path: ConfigPath,
  names: readonly unknown[] | null,
  at: ErrorAt,
): ConfigError[] {
  const errors =
    typeof ingress.cluster === 'string' ? unknownCluster(ingress.cluster, names, [...path, 'cluster'], at) : []
  const empty = list(ingress.addresses).length === 0 && list(ingress.hosts).length === 0
  if (empty && ingress.cluster !== undefined)
    errors.push(
      at(path, 'give the addresses or the hosts that lead to this ingress, or calls to it cannot be recognised'),
    )
  return errors
}

function serviceErrors(
  { service, workloads }: Record<string, unknown>,
  path: ConfigPath,
  names: readonly unknown[] | null,
  at: ErrorAt,
): ConfigError[] {
  const places: { readonly id: unknown; readonly path: ConfigPath }[] = [
    { id: service, path: [...path, 'service'] },
    ...list(workloads).map((id, index) => ({ id, path: [...path, 'workloads', index] })),
  ]
  return places.flatMap(({ id, path: place }) =>
    typeof id === 'string' && id.includes('/') ? unknownCluster(id.split('/', 1)[0] ?? '', names, place, at) : [],
  )
}

function wallErrors(walls: readonly unknown[], names: readonly unknown[] | null, at: ErrorAt): ConfigError[] {
  return walls.flatMap((wall, index) =>
    list(record(wall).clusters).flatMap((name, place) =>
      typeof name === 'string' ? unknownCluster(name, names, ['auth', 'walls', index, 'clusters', place], at) : [],
    ),
  )
}

function aliasErrors(aliases: readonly unknown[], names: readonly unknown[] | null, at: ErrorAt): ConfigError[] {
  return aliases.flatMap((value, index) => {
    const { name, cluster } = record(value)
    const errors = typeof cluster === 'string' ? unknownCluster(cluster, names, ['aliases', index, 'cluster'], at) : []
    const first = aliases.findIndex((other) => record(other).name === name)
    if (typeof name === 'string' && first !== index)
      errors.push(at(['aliases', index, 'name'], `'${name}' is aliases[${first}] already; one name means one cluster`))
    if (typeof name === 'string' && names?.includes(name))
      errors.push(at(['aliases', index, 'name'], `'${name}' is a cluster of its own; remove the alias`))
    return errors
  })
}

function groupErrors(groups: readonly unknown[], names: readonly unknown[] | null, at: ErrorAt): ConfigError[] {
  return groups.flatMap((value, index) => {
    const { name, workloads } = record(value)
    const errors = list(workloads).flatMap((id, inner) => {
      const cluster = typeof id === 'string' && id.includes('/') ? (id.split('/', 1)[0] ?? '') : '*'
      return cluster.includes('*') ? [] : unknownCluster(cluster, names, ['groups', index, 'workloads', inner], at)
    })
    const first = groups.findIndex((other) => record(other).name === name)
    if (typeof name === 'string' && first !== index)
      errors.push(at(['groups', index, 'name'], `'${name}' is the name of groups[${first}] already`))
    return errors
  })
}

function goalErrors(
  goal: Record<string, unknown>,
  path: ConfigPath,
  names: readonly unknown[] | null,
  at: ErrorAt,
): ConfigError[] {
  const { workload, success, latency, minimumRate } = goal
  const [cluster = ''] = typeof workload === 'string' && workload.includes('/') ? workload.split('/', 1) : []
  const known = cluster === '' || cluster.includes('*')
  const errors = known ? [] : unknownCluster(cluster, names, [...path, 'workload'], at)
  const nothing = success === undefined && minimumRate === undefined && Object.keys(record(latency)).length === 0
  if (nothing && workload !== undefined) errors.push(at(path, 'give at least one of success, latency and minimumRate'))
  return errors
}

function unknownCluster(name: string, names: readonly unknown[] | null, path: ConfigPath, at: ErrorAt): ConfigError[] {
  if (names === null || names.includes(name)) return []
  const known = names.filter((candidate) => typeof candidate === 'string')
  const meant = closest(name, known)
  const advice = meant === null ? `clusters are: ${known.join(', ') || 'none'}` : `did you mean ${meant}?`
  return [at(path, `no cluster is named '${name}'; ${advice}`)]
}
