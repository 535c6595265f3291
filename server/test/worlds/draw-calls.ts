import type { Dice } from './draw-truth.ts'
import type { Style, TrueCall, TrueCluster, TrueWorkload } from './truth.ts'

const FLAT = ['2.14', '2.15', '2.16', '2.17', '2.18', '2.20']
const FEDERATED = ['2.17', '2.18', '2.20']

/**
 * Who calls whom. Mostly towards later workloads, now and then back (a cycle) or to itself; about every third call
 * leaves its cluster. One caller calls one service by one way only, as a program would.
 */
export function drawCalls(
  clusters: readonly TrueCluster[],
  workloads: readonly TrueWorkload[],
  proxies: readonly TrueWorkload[],
  flatNetwork: boolean,
  dice: Dice,
): TrueCall[] {
  const calls: TrueCall[] = []
  const clusterOf = (name: string) => clusters.find((cluster) => cluster.name === name) as TrueCluster
  const serviceOf = (one: TrueWorkload) =>
    workloads.filter(
      (other) => other.cluster === one.cluster && other.namespace === one.namespace && other.service === one.service,
    )
  // One host for each service that is exposed; some names are exposed by every cluster that has such a service.
  const globalHosts = dice.chance(0.5)
  for (const [index, from] of [...workloads, ...proxies].entries()) {
    const taken = new Set<string>()
    const proxy = index >= workloads.length
    for (let left = dice.between(0, 3); left > 0; left -= 1) {
      const to = dice.pick(dice.chance(0.85) && !proxy ? workloads.slice(index) : workloads)
      const key = `${to.cluster}/${to.namespace}/${to.service}`
      const [here, there] = [clusterOf(from.cluster), clusterOf(to.cluster)]
      const style = here === there ? 'local' : proxy ? 'ingress' : wayTo(here, there, dice, flatNetwork)
      // A name leads one caller to one place, whatever it leads others to.
      const host = style === 'ingress' && globalHosts ? `${to.namespace}/${to.service}` : key
      if (taken.has(key) || taken.has(host)) continue
      taken.add(key).add(host)
      const behind = serviceOf(to)
      calls.push(drawCall(from, style, style === 'podAddress' ? [to] : behind, there, globalHosts, dice))
    }
    if (!proxy && dice.chance(0.15)) calls.push(drawOutside(from, workloads, dice))
  }
  return federate(calls, workloads, clusterOf)
}

function wayTo(here: TrueCluster, there: TrueCluster, dice: Dice, flatNetwork: boolean): Style {
  const { linkerd } = here
  if (here.istio && there.istio) return dice.pick(['mesh', 'mesh', 'ingress'])
  // Neither mesh knows the other: the door is the only way in.
  if (here.istio || there.istio) return 'ingress'
  const ways: Style[] = ['mirror', 'ingress', 'ingress', 'ingress']
  if (flatNetwork) ways.push('podAddress')
  if (flatNetwork && FLAT.includes(linkerd)) ways.push('flat')
  if (flatNetwork && FEDERATED.includes(linkerd)) ways.push('federated')
  return dice.pick(ways)
}

function drawCall(
  from: TrueWorkload,
  style: Style,
  behind: readonly TrueWorkload[],
  there: TrueCluster,
  globalHosts: boolean,
  dice: Dice,
): TrueCall {
  // A balancer spreads everybody's requests over the same pods: the split is the same for all callers.
  const units = dice.between(2, 300) * 2
  const to = behind.map((workload) => ({ workload, perStep: units * workload.pods.length }))
  const perStep = to.reduce((sum, one) => sum + one.perStep, 0)
  const { service, namespace } = behind[0] as TrueWorkload
  const retried = style === 'ingress' && dice.chance(0.1)
  const pod = to[0]?.workload.pods[0]
  return {
    from,
    style,
    to: style === 'podAddress' ? to.slice(0, 1) : to,
    perStep,
    failuresPerStep: dice.chance(0.4) ? Math.floor((perStep * dice.draw()) / 3) : 0,
    attempts: retried ? 2 : 1,
    meanMs: dice.between(2, 800),
    host: style === 'ingress' ? `${service}.${namespace}.${globalHosts ? '' : `${there.name}.`}example.com` : null,
    address: style === 'ingress' ? `${there.ingress.address}:80` : style === 'podAddress' ? `${pod?.ip}:8080` : null,
  }
}

/** Now and then the address of something unmeasured is one that a pod of another cluster has as well. */
function drawOutside(from: TrueWorkload, workloads: readonly TrueWorkload[], dice: Dice): TrueCall {
  const other = dice.pick(workloads)
  const twin = other.cluster !== from.cluster && dice.chance(0.3)
  const address = twin ? `${other.pods[0]?.ip}:8080` : `198.51.100.${dice.between(2, 250)}:443`
  const perStep = dice.between(2, 300)
  const host = twin ? null : `api${dice.between(1, 9)}.partner.example`
  return { from, style: 'outside', to: [], perStep, failuresPerStep: 0, attempts: 1, meanMs: 50, host, address }
}

/** A federated service balances over its pods in both clusters: the caller's own cluster answers a part. */
function federate(
  calls: readonly TrueCall[],
  workloads: readonly TrueWorkload[],
  clusterOf: (name: string) => TrueCluster,
): TrueCall[] {
  return calls.map((call) => {
    const [target] = call.to
    if (call.style !== 'federated' || target === undefined) return call
    const twins = workloads.filter(
      ({ cluster, namespace, service }) =>
        cluster === clusterOf(call.from.cluster).name &&
        namespace === target.workload.namespace &&
        service === target.workload.service,
    )
    const more = twins.map((workload) => ({ workload, perStep: 40 }))
    const to = [...call.to, ...more]
    return { ...call, to, perStep: to.reduce((sum, one) => sum + one.perStep, 0) }
  })
}
