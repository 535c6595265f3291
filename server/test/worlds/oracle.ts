import type { Facts } from './oracle-facts.ts'

/** What the exported labels allow anybody to know of one seam. */
export type Knowable =
  | { readonly kind: 'determined'; readonly targets: ReadonlySet<string> }
  /** Several ends fit the labels, or one fits and nothing confirms it. */
  | { readonly kind: 'ambiguous' }
  /** No label leads to an end; `door`: the way is known as far as this ingress. */
  | { readonly kind: 'unknowable'; readonly door: string | null }

/** One caller's calls as its own series name them. */
export type Seam =
  | { readonly kind: 'mirror'; readonly from: string; readonly link: string; readonly service: string }
  | {
      readonly kind: 'pod'
      readonly from: string
      readonly asked: string
      readonly service: string
      /** `namespace/name` or `namespace/kind:name`. */
      readonly place: string
      readonly ip: string
      readonly serverId: string
    }
  /** Labels name both ends and their clusters. */
  | { readonly kind: 'named'; readonly from: string; readonly to: string }
  | { readonly kind: 'host'; readonly from: string; readonly host: string }
  | { readonly kind: 'address'; readonly from: string; readonly address: string }

/** Counters are free of noise here: what differs by more is not the same requests, whatever a person may tolerate. */
const TOLERANCE = 0.005
const AMBIGUOUS: Knowable = { kind: 'ambiguous' }
const UNKNOWABLE: Knowable = { kind: 'unknowable', door: null }

/**
 * Says of a seam what can be known from the pages' labels and rates alone. It reads neither the truth that the pages
 * were made from nor anything of the code that joins clusters; it is written from the rules' definition.
 */
export function judge(seam: Seam, facts: Facts): Knowable {
  switch (seam.kind) {
    case 'named':
      return determined([seam.to])
    case 'mirror':
      return judgeMirror(seam.link, seam.service, facts)
    case 'pod':
      return judgePod(seam, facts)
    case 'host':
      return judgeHost(seam.from, seam.host, facts)
    case 'address':
      return judgeAddress(seam.from, seam.address, facts)
    default:
      return seam satisfies never
  }
}

function judgeMirror(link: string, service: string, facts: Facts): Knowable {
  if (!facts.clusters.includes(link)) return UNKNOWABLE
  const behind = facts.behind(link, service)
  if (behind.length > 0) return determined(behind)
  return facts.receives(`${link}/${service}`) ? AMBIGUOUS : UNKNOWABLE
}

function judgePod(seam: Extract<Seam, { kind: 'pod' }>, facts: Facts): Knowable {
  const link = seam.asked.slice(seam.service.length + 1)
  if (facts.clusters.includes(link)) return determined([`${link}/${seam.place}`])
  const owners = facts.ownersOf(seam.ip).filter((id) => id.endsWith(`/${seam.place}`))
  const [owner] = owners
  if (owner !== undefined && owners.length === 1 && facts.rangeIsExclusive(seam.ip)) return determined([owner])
  const homes = facts.homesOf(seam.serverId.split('.serviceaccount.identity.linkerd.')[1] ?? '')
  const [home] = homes
  // Who shows no identity at home may have the same trust domain.
  const all = facts.clusters.every((cluster) => facts.showsIdentity(cluster))
  if (all && home !== undefined && homes.length === 1 && facts.receives(`${home}/${seam.place}`)) {
    return determined([`${home}/${seam.place}`])
  }
  const like = facts.clusters.filter((cluster) => facts.receives(`${cluster}/${seam.place}`))
  return like.length > 0 || owner !== undefined ? AMBIGUOUS : UNKNOWABLE
}

function judgeHost(from: string, host: string, facts: Facts): Knowable {
  const exposing = facts.clusters.filter((cluster) => facts.exposes(cluster, host) !== null)
  if (exposing.length === 0) {
    const dialled = facts.dialledOutside(from)
    const [address] = dialled
    if (address === undefined || dialled.length > 1) return UNKNOWABLE
    const behind = judgeAddress(from, address, facts)
    const more = facts.hostsOf(from).length > 1
    return behind.kind === 'determined' && behind.targets.size > 1 && more ? AMBIGUOUS : behind
  }
  const dials = (caller: string, cluster: string) =>
    facts.balancersOf(cluster).some((address) => facts.dialledOutside(caller).includes(address))
  const known = (cluster: string) => facts.balancersOf(cluster).length > 0
  const possible = (caller: string) => exposing.filter((cluster) => !known(cluster) || dials(caller, cluster))
  const [cluster, ...more] = possible(from)
  if (cluster === undefined || more.length > 0) return AMBIGUOUS
  // Who cannot be asked for hosts may expose this one unseen, unless the address says where it leads.
  const shared = facts.balancersOf(cluster).some((address) => facts.doorsAt(address).length > 1)
  const blind = facts.clusters.some((other) => other !== cluster && !facts.tellsHosts(other))
  if (shared || (!dials(from, cluster) && blind)) return AMBIGUOUS
  const asking = facts
    .callersOfHost(host)
    .filter((caller) => possible(caller.from).includes(cluster))
    .reduce((sum, { rate }) => sum + rate, 0)
  const exposed = facts.exposes(cluster, host)
  if (exposed === null || !alike(asking, exposed.rate)) return AMBIGUOUS
  return determined(exposed.ends)
}

function judgeAddress(from: string, address: string, facts: Facts): Knowable {
  const ip = address.replace(/:\d+$/, '')
  const owners = facts.ownersOf(ip)
  const [owner] = owners
  if (owner !== undefined) {
    if (owners.length > 1 || !facts.rangeIsExclusive(ip)) return AMBIGUOUS
    const calling = facts.callersOfAddressesOf(owner)
    return alike(calling, facts.namelessArrivals(owner)) ? determined([owner]) : AMBIGUOUS
  }
  const doors = facts.doorsAt(address)
  const [door] = doors
  if (door === undefined) return UNKNOWABLE
  if (doors.length > 1) return AMBIGUOUS
  const inner = facts.callsOf(door)
  if (inner.size === 0) return { kind: 'unknowable', door }
  const callers = facts.callersOfAddress(address)
  const total = [...inner.values()].reduce((a, b) => a + b, 0)
  const calling = callers.reduce((sum, { rate }) => sum + rate, 0)
  const single = inner.size === 1 || callers.every((one) => one.from === from)
  // An end that gets no more than what the sums differ by may be somebody's whose address nobody tells.
  const each = 2 * Math.abs(calling - total) < Math.min(...inner.values())
  return alike(calling, total) && single && each ? determined(inner.keys()) : AMBIGUOUS
}

function determined(targets: Iterable<string>): Knowable {
  return { kind: 'determined', targets: new Set(targets) }
}

function alike(a: number, b: number): boolean {
  return a > 0 && b > 0 && Math.abs(a - b) <= TOLERANCE * Math.max(a, b)
}
