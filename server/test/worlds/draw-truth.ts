import { random } from '../engines/random.ts'
import { drawCalls } from './draw-calls.ts'
import { CONTROLLERS, LINKERD, type Pod, type TrueCluster, type TrueWorkload, type Truth } from './truth.ts'

const CLUSTERS = ['east', 'west', 'north', 'south', 'centre', 'coast', 'hills', 'lake']
const NAMESPACES = ['shop', 'labs', 'data']
const NAMES = ['web', 'api', 'cart', 'search', 'auth', 'stock', 'price', 'mail', 'user', 'log', 'order', 'feed']

export interface Dice {
  /** 0 <= x < 1. */
  draw(): number
  chance(probability: number): boolean
  /** A whole number in [low, high]. */
  between(low: number, high: number): number
  pick<T>(items: readonly T[]): T
}

export function diceOf(seed: number): Dice {
  const draw = random(seed)
  const between = (low: number, high: number) => low + Math.floor(draw() * (high - low + 1))
  return {
    draw,
    chance: (probability) => draw() < probability,
    between,
    pick(items) {
      const item = items[between(0, items.length - 1)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
  }
}

/**
 * A random fleet of 2 to 8 clusters with 10 to 100 workloads: who calls whom, by which way, how often, how slowly.
 * Names repeat between clusters on purpose. The same seed gives the same fleet.
 */
export function drawTruth(seed: number): Truth {
  const dice = diceOf(seed)
  const count = dice.between(2, 8)
  const names = CLUSTERS.slice(0, count)
  // The usual fleet has one trust domain and one pod range for all; both are what makes clusters hard to tell apart.
  const ownTrust = dice.chance(0.4)
  const ownRanges = dice.chance(0.6)
  const addresses = addressBook(dice, ownRanges)
  // Some fleets are mixed, or of Istio throughout.
  const istios = dice.pick([0, 0, 0.5, 1])
  const istio = names.map(() => dice.chance(istios))
  const sizes = names.map(() => dice.between(5, Math.max(5, Math.floor(100 / count))))
  const workloads: TrueWorkload[] = []
  const clusters = names.map((name, index): TrueCluster => {
    const linkerd = dice.pick(LINKERD)
    workloads.push(...drawWorkloads(name, sizes[index] ?? 5, istio[index] === true, dice, () => addresses(index)))
    return {
      name,
      linkerd,
      istio: istio[index] === true,
      linkName: dice.chance(0.1) ? `${name}-prod` : name,
      trustDomain: ownTrust && dice.chance(0.8) ? `${name}.local` : 'cluster.local',
      hostnames:
        istio[index] === true || linkerd === '2.17' || (['2.18', '2.20'].includes(linkerd) && dice.chance(0.6)),
      kubeStateMetrics: dice.chance(0.5),
      ingress: {
        workload: istio[index]
          ? systemWorkload(name, 'istio-system', 'istio-ingressgateway', dice, () => addresses(index))
          : systemWorkload(name, 'ingress-nginx', 'controller', dice, () => addresses(index)),
        address: `203.0.113.${20 + index}`,
        meshed: istio[index] === true || dice.chance(0.6),
        metrics: istio[index] !== true && dice.chance(0.6) ? dice.pick(CONTROLLERS) : null,
      },
      gateway: systemWorkload(name, 'linkerd-multicluster', 'linkerd-gateway', dice, () => addresses(index)),
    }
  })
  // A load balancer in front of two clusters.
  const shared = count > 2 && dice.chance(0.3)
  const fleet = clusters.map((cluster, index) =>
    shared && index === 1 ? { ...cluster, ingress: { ...cluster.ingress, address: '203.0.113.20' } } : cluster,
  )
  const proxies = fleet.flatMap(({ name }, index) =>
    dice.chance(0.4) ? [systemWorkload(name, 'edge', 'proxy', dice, () => addresses(index))] : [],
  )
  const told = { ingressesOf: names.filter(() => dice.chance(0.5)) }
  const calls = drawCalls(fleet, workloads, proxies, ownRanges, dice)
  return { seed, clusters: fleet, workloads, proxies, calls, told }
}

/** Pods of clusters with ranges of their own never share an address; else they often do. */
function addressBook(dice: Dice, ownRanges: boolean): (cluster: number) => string {
  const used = new Map<number, Set<string>>()
  return (cluster) => {
    const mine = used.get(cluster) ?? new Set()
    used.set(cluster, mine)
    const range = ownRanges ? 40 + cluster : 42
    for (;;) {
      const address = `10.${range}.${dice.between(0, 3)}.${dice.between(2, 250)}`
      if (mine.has(address)) continue
      mine.add(address)
      return address
    }
  }
}

function drawWorkloads(
  cluster: string,
  size: number,
  istio: boolean,
  dice: Dice,
  address: () => string,
): TrueWorkload[] {
  const made: TrueWorkload[] = []
  for (let index = 0; made.length < size; index += 1) {
    const namespace = dice.pick(NAMESPACES)
    const base = NAMES[index % NAMES.length] ?? 'web'
    const service = index < NAMES.length ? base : `${base}${Math.floor(index / NAMES.length) + 1}`
    // Istio does not tell kinds.
    const kind = !istio && dice.chance(0.15) ? 'statefulset' : 'deployment'
    const of = (name: string) => workload({ cluster, namespace, kind, name, service }, dice, address)
    // Now and then a service has two workloads behind it.
    if (dice.chance(0.12) && made.length + 2 <= size) made.push(of(`${service}-v1`), of(`${service}-v2`))
    else made.push(of(service))
  }
  return made
}

function systemWorkload(
  cluster: string,
  namespace: string,
  name: string,
  dice: Dice,
  address: () => string,
): TrueWorkload {
  return workload({ cluster, namespace, kind: 'deployment', name, service: name }, dice, address)
}

function workload(
  place: Pick<TrueWorkload, 'cluster' | 'namespace' | 'kind' | 'name' | 'service'>,
  dice: Dice,
  address: () => string,
): TrueWorkload {
  const { cluster, namespace, kind, name } = place
  const hash = () => dice.draw().toString(36).slice(2, 7).padEnd(5, 'x')
  const set = hash()
  const pods = Array.from({ length: dice.between(1, 2) }, (_, ordinal): Pod => {
    return { name: kind === 'statefulset' ? `${name}-${ordinal}` : `${name}-${set}-${hash()}`, ip: address() }
  })
  const id = kind === 'deployment' ? `${cluster}/${namespace}/${name}` : `${cluster}/${namespace}/${kind}:${name}`
  return { ...place, id, serviceAccount: dice.chance(0.85) ? name : 'default', pods }
}
