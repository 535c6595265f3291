import { circlesOf, gainOf, insideCalls } from './circles.ts'
import { componentsOf } from './components.ts'
import type { Account, Circles, FlowNet } from './flow-net.ts'

const NONE: ReadonlySet<string> = new Set()

/** Beyond this gain a cycle feeds itself so much that its members cannot be told apart. */
const GAIN_LIMIT = 0.95

/** Collects a net node by node; a node's calls and parts follow its `node` call. */
export class FlowNetBuilder {
  readonly #ids: readonly string[]
  readonly #sharedLinks: ReadonlySet<string>
  readonly #index: Map<string, number>
  readonly #totals: Float64Array
  readonly #offsets: Int32Array
  readonly #to: number[] = []
  readonly #steps: number[] = []
  readonly #callIds: string[] = []
  readonly #carried: number[] = []
  readonly #accounts: Account[] = []
  readonly #accountIndex = {
    workload: new Map<string, number>(),
    link: new Map<string, number>(),
    beyond: new Map<string, number>(),
    unexplained: new Map<string, number>(),
  }
  readonly #parts = { node: [] as number[], account: [] as number[], amount: [] as number[] }
  #node = -1

  /** `sharedLinks`: the links that more than one part is put down to; of all others there is one part each. */
  constructor(ids: readonly string[], sharedLinks: ReadonlySet<string> = NONE) {
    this.#ids = ids
    this.#sharedLinks = sharedLinks
    this.#index = new Map(ids.map((id, at) => [id, at]))
    this.#totals = new Float64Array(ids.length).fill(Number.NaN)
    this.#offsets = new Int32Array(ids.length + 1)
  }

  /** Begins the next node, in the order of `ids`. */
  node(total: number | undefined): void {
    this.#node += 1
    this.#offsets[this.#node] = this.#to.length
    if (total !== undefined) this.#totals[this.#node] = total
  }

  part(kind: Account['kind'], id: string, amount: number): void {
    this.#partOf(this.#node, kind, id, amount)
  }

  /** `direct`: what arrives over the call beside what the callee's visits gather. */
  call(id: string, to: string, step: number, direct: number): void {
    this.#to.push(this.#index.get(to) ?? -1)
    this.#steps.push(step)
    this.#callIds.push(id)
    this.#carried.push(direct)
  }

  /** `reportAs` names the account of what a cycle that cannot be separated leaves unexplained at a node. */
  build(reportAs: (id: string) => string): FlowNet {
    this.#offsets[this.#ids.length] = this.#to.length
    const [offsets, to] = [this.#offsets, Int32Array.from(this.#to)]
    const steps = Float64Array.from(this.#steps)
    const behind = (call: number) => {
      const step = this.#steps[call] ?? 0
      return step === 0 ? 0 : step * zeroIfUnknown(this.#totals[to[call] as number] as number)
    }
    const components = componentsOf({ offsets, to }, (call) => steps[call] !== 0)
    const cyclic: (Circles | undefined)[] = new Array(components.starts.length - 1).fill(undefined)
    for (let component = 0; component < cyclic.length; component += 1) {
      const inside = insideCalls({ offsets, to, steps, components }, component)
      if (inside.length === 0) continue
      const circles = circlesOf(components, component, inside)
      if (gainOf(circles) < GAIN_LIMIT) {
        cyclic[component] = circles
        continue
      }
      // A step cut out of an inseparable cycle still has to be accounted for, or the sum would not hold.
      for (const { call, from, to: callee, step } of inside) {
        const id = reportAs(this.#ids[callee] as string)
        this.#partOf(from, 'unexplained', id, step * zeroIfUnknown(this.#totals[callee] as number))
        steps[call] = 0
      }
    }
    return {
      index: this.#index,
      totals: this.#totals,
      offsets,
      to,
      steps,
      callIds: this.#callIds,
      carried: Float64Array.from(this.#carried, (direct, call) => direct + behind(call)),
      accounts: this.#accounts,
      accountAt: this.#lookUp(),
      ...this.#sortedParts(),
      components,
      cyclic,
    }
  }

  #partOf(node: number, kind: Account['kind'], id: string, amount: number): void {
    // Most accounts are links of their own: looking each of them up would cost more than all the sums.
    const single = kind === 'link' && !this.#sharedLinks.has(id)
    let account = single ? undefined : this.#accountIndex[kind].get(id)
    if (account === undefined) {
      account = this.#accounts.length
      if (!single) this.#accountIndex[kind].set(id, account)
      this.#accounts.push({ kind, id })
    }
    this.#parts.node.push(node)
    this.#parts.account.push(account)
    this.#parts.amount.push(amount)
  }

  #lookUp(): FlowNet['accountAt'] {
    const [accounts, index] = [this.#accounts, this.#accountIndex]
    let links: Map<string, number> | null = null
    return ({ kind, id }) => {
      if (kind !== 'link') return index[kind].get(id)
      links ??= new Map(accounts.flatMap((account, at) => (account.kind === 'link' ? [[account.id, at]] : [])))
      return links.get(id)
    }
  }

  #sortedParts(): Pick<FlowNet, 'partOffsets' | 'partAccounts' | 'partAmounts'> {
    const { node, account, amount } = this.#parts
    const partOffsets = new Int32Array(this.#ids.length + 1)
    for (const at of node) partOffsets[at + 1] = (partOffsets[at + 1] as number) + 1
    for (let at = 0; at < this.#ids.length; at += 1) {
      partOffsets[at + 1] = (partOffsets[at + 1] as number) + (partOffsets[at] as number)
    }
    const next = partOffsets.slice()
    const partAccounts = new Int32Array(node.length)
    const partAmounts = new Float64Array(node.length)
    node.forEach((at, part) => {
      const place = next[at] as number
      next[at] = place + 1
      partAccounts[place] = account[part] as number
      partAmounts[place] = amount[part] as number
    })
    return { partOffsets, partAccounts, partAmounts }
  }
}

function zeroIfUnknown(value: number): number {
  return Number.isNaN(value) ? 0 : value
}
