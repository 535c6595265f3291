import type { WorkloadDetail } from '@goldseam/server/contract'
import { useNavigate } from '@tanstack/react-router'
import { parseWorkloadId } from '../../format/workload-name.ts'
import { keepScope } from '../../scope/scope-search.ts'
import type { SearchText } from '../../scope/search-codec.ts'
import { useKey } from '../../ui/use-key.ts'

/** `h` goes to who calls this workload most, `l` to the call that most of the time is lost in, else the busiest. */
export function useNeighbourKeys({ callers, dependencies }: WorkloadDetail): void {
  const navigate = useNavigate()
  function open(id: string | undefined) {
    const target = id === undefined ? null : parseWorkloadId(id)
    if (!target) return
    const { cluster, namespace: ns, name } = target
    const search = (previous: SearchText) => keepScope(previous)
    void navigate({ to: '/d/$cluster/$ns/$name', params: { cluster, ns, name }, search })
  }
  useKey('h', () => {
    const [busiest] = [...callers].sort((a, b) => rate(b.caller) - rate(a.caller))
    open(busiest?.from)
  })
  useKey('l', () => {
    const [worst] = [...dependencies.children].sort(
      (a, b) => Number(b.onSuspectPath) - Number(a.onSuspectPath) || rate(b.edge?.caller) - rate(a.edge?.caller),
    )
    open(worst?.id)
  })
}

function rate(seen: { readonly requestsPerSecond: number | null } | null | undefined): number {
  return seen?.requestsPerSecond ?? 0
}
