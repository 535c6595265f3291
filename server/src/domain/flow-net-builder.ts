import { AccountIndex } from './account-index.ts'
import { circlesOf, gainOf, insideCalls } from './circles.ts'
import { componentsOf } from './components.ts'
import type { Account, Circles, FlowNet, Onward } from './flow-net.ts'
import { Growing } from './growing.ts'

const NONE: ReadonlySet<string> = new Set()

/** Beyond this gain a cycle feeds itself so much that its members cannot be told apart. */
const GAIN_LIMIT = 0.95

/** Collects a net node by node; a node's calls and parts follow its `node` call. */
export class FlowNetBuilder {
  readonly #ids: readonly string[]
  readonly #sharedLinks: ReadonlySet<string>
  readonly #index = new Map<string, number>()
  readonly #totals: Float64Array
  readonly #offsets: Int32Array
  readonly #to = Growing.integers()
  readonly #steps = Growing.floats()
  readonly #callIds: string[] = []
  readonly #carried = Growing.floats()
  readonly #accounts: Account[] = []
  readonly #accountIndex: Record<Account['kind'], AccountIndex>
  readonly #parts = { node: Growing.integers(), account: Growing.integers(), amount: Growing.floats() }
  readonly #links = { offsets: new Int32Array(0), ids: [] as string[], amounts: Growing.floats() }
  #node = -1

  /** `sharedLinks`: the links that more than one part is put down to; of all others there is one part each. */
  constructor(ids: readonly string[], sharedLinks: ReadonlySet<string> = NONE) {
    this.#ids = ids
    this.#sharedLinks = sharedLinks
    for (let at = 0; at < ids.length; at += 1) this.#index.set(ids[at] as string, at)
    const index = () => new AccountIndex(this.#index)
    this.#accountIndex = { workload: index(), link: index(), beyond: index(), unexplained: index() }
    this.#totals = new Float64Array(ids.length).fill(Number.NaN)
    this.#offsets = new Int32Array(ids.length + 1)
    this.#links.offsets = new Int32Array(ids.length + 1)
  }

  /** Where each id stands among `ids`. */
  get places(): ReadonlyMap<string, number> {
    return this.#index
  }

  /** Begins the next node, in the order of `ids`. */
  node(total: number | undefined): void {
    this.#node += 1
    this.#offsets[this.#node] = this.#to.length
    this.#links.offsets[this.#node] = this.#links.ids.length
    if (total !== undefined) this.#totals[this.#node] = total
  }

  part(kind: Account['kind'], id: string, amount: number): void {
    if (kind !== 'link' || (this.#sharedLinks.size > 0 && this.#sharedLinks.has(id))) {
      this.#put(this.#node, this.#accountOf(kind, id), amount)
      return
    }
    // Most accounts are links of their own: making each of them one would cost more than all the sums.
    this.#links.ids.push(id)
    this.#links.amounts.push(amount)
  }

  /** The same for one of `ids` by its place. */
  partAt(kind: 'workload' | 'beyond' | 'unexplained', place: number, amount: number): void {
    const index = this.#accountIndex[kind]
    let account = index.atPlace(place)
    if (account === -1) {
      account = this.#accounts.length
      index.setPlace(place, account)
      this.#accounts.push({ kind, id: this.#ids[place] as string })
    }
    this.#put(this.#node, account, amount)
  }

  /** `direct`: what arrives over the call beside what the callee's visits gather. */
  call(id: string, to: string, step: number, direct: number): void {
    this.callTo(id, this.#index.get(to) ?? -1, step, direct)
  }

  /** The same by the callee's place, for whoever has looked it up already. */
  callTo(id: string, place: number, step: number, direct: number): void {
    this.#to.push(place)
    this.#steps.push(step)
    this.#callIds.push(id)
    this.#carried.push(direct)
  }

  /** `reportAs` names the account of what a cycle that cannot be separated leaves unexplained at a node. */
  build(reportAs: (id: string) => string): FlowNet {
    this.#offsets[this.#ids.length] = this.#to.length
    this.#links.offsets[this.#ids.length] = this.#links.ids.length
    const [offsets, to, steps, totals] = [this.#offsets, this.#to.done(), this.#steps.done(), this.#totals]
    const carried = this.#carried.done()
    for (let call = 0; call < to.length; call += 1) {
      const step = steps[call] as number
      if (step !== 0) {
        carried[call] = (carried[call] as number) + step * zeroIfUnknown(totals[to[call] as number] as number)
      }
    }
    const components = componentsOf({ offsets, to }, steps)
    const cyclic: (Circles | undefined)[] = new Array(components.starts.length - 1).fill(undefined)
    const inseparable: (readonly string[])[] = []
    for (let component = 0; component < cyclic.length; component += 1) {
      const inside = insideCalls({ offsets, to, steps, components }, component)
      if (inside.length === 0) continue
      const circles = circlesOf(components, component, inside)
      if (gainOf(circles) < GAIN_LIMIT) {
        cyclic[component] = circles
        continue
      }
      const members = Array.from(circles.members, (node) => reportAs(this.#ids[node] as string))
      inseparable.push([...new Set(members)])
      // A step cut out of an inseparable cycle still has to be accounted for, or the sum would not hold.
      for (const { call, from, to: callee, step } of inside) {
        const id = reportAs(this.#ids[callee] as string)
        this.#put(from, this.#accountOf('unexplained', id), step * zeroIfUnknown(totals[callee] as number))
        steps[call] = 0
      }
    }
    const { offsets: linkOffsets, ids: linkIds, amounts } = this.#links
    const index = this.#accountIndex
    return {
      index: this.#index,
      totals,
      offsets,
      to,
      steps,
      callIds: this.#callIds,
      carried,
      accounts: this.#accounts,
      accountAt: ({ kind, id }) => index[kind].get(id),
      ...this.#sortedParts(),
      linkOffsets,
      linkIds,
      linkAmounts: amounts.done(),
      linkMost: mostOf(linkOffsets, amounts.done()),
      components,
      onward: onwardOf({ offsets, to, steps, components, cyclic }),
      cyclic,
      inseparable,
    }
  }

  #accountOf(kind: Account['kind'], id: string): number {
    const index = this.#accountIndex[kind]
    const known = index.get(id)
    if (known !== undefined) return known
    const account = this.#accounts.length
    index.set(id, account)
    this.#accounts.push({ kind, id })
    return account
  }

  #put(node: number, account: number, amount: number): void {
    this.#parts.node.push(node)
    this.#parts.account.push(account)
    this.#parts.amount.push(amount)
  }

  /** They come in node by node, but for what is cut out of cycles at the end. */
  #sortedParts(): Pick<FlowNet, 'partOffsets' | 'partAccounts' | 'partAmounts'> {
    const [node, account, amount] = [this.#parts.node.done(), this.#parts.account.done(), this.#parts.amount.done()]
    const partOffsets = new Int32Array(this.#ids.length + 1)
    let [sorted, before] = [true, 0]
    for (let part = 0; part < node.length; part += 1) {
      const at = node[part] as number
      if (at < before) sorted = false
      before = at
      partOffsets[at + 1] = (partOffsets[at + 1] as number) + 1
    }
    for (let at = 0; at < this.#ids.length; at += 1) {
      partOffsets[at + 1] = (partOffsets[at + 1] as number) + (partOffsets[at] as number)
    }
    if (sorted) return { partOffsets, partAccounts: account, partAmounts: amount }
    const next = partOffsets.slice()
    const partAccounts = new Int32Array(node.length)
    const partAmounts = new Float64Array(node.length)
    for (let part = 0; part < node.length; part += 1) {
      const at = node[part] as number
      const place = next[at] as number
      next[at] = place + 1
      partAccounts[place] = account[part] as number
      partAmounts[place] = amount[part] as number
    }
    return { partOffsets, partAccounts, partAmounts }
  }
}

/** Steps of 0 lead nowhere, and those within a circle are solved with it. */
function onwardOf({
  offsets,
  to,
  steps,
  components: { nodes, starts, of },
  cyclic,
}: Pick<FlowNet, 'offsets' | 'to' | 'steps' | 'components' | 'cyclic'>): Onward {
  const onward = {
    offsets: new Int32Array(nodes.length + 1),
    to: new Int32Array(to.length),
    steps: new Float64Array(to.length),
  }
  let count = 0
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at] as number
    const circle = cyclic[of[node] as number] === undefined ? -1 : (of[node] as number)
    const end = offsets[node + 1] as number
    for (let call = offsets[node] as number; call < end; call += 1) {
      const [step, callee] = [steps[call] as number, to[call] as number]
      if (step === 0 || of[callee] === circle) continue
      onward.to[count] = callee
      onward.steps[count] = step
      count += 1
    }
    onward.offsets[at + 1] = count
  }
  const circled: number[] = []
  for (let component = 0; component < starts.length - 1; component += 1) {
    if (cyclic[component] !== undefined) circled.push(component)
  }
  return { ...onward, circled: Int32Array.from(circled) }
}

function mostOf(offsets: Int32Array, amounts: Float64Array): Float64Array {
  const most = new Float64Array(offsets.length - 1).fill(Number.NEGATIVE_INFINITY)
  for (let node = 0; node < most.length; node += 1) {
    for (let at = offsets[node] as number; at < (offsets[node + 1] as number); at += 1) {
      most[node] = Math.max(most[node] as number, amounts[at] as number)
    }
  }
  return most
}

function zeroIfUnknown(value: number): number {
  return Number.isNaN(value) ? 0 : value
}
