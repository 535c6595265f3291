import type { WorkloadEvent } from '@goldseam/server/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { atLeisure } from '../../api/polling.ts'
import { eventsQuery } from '../../api/workload-parts.ts'
import type { EventTick } from '../../charts/event-ticks.tsx'
import { useAsking } from '../../scope/use-asking.ts'

/** Marks may come later than numbers: pods seldom change, and who looks at the events themselves gets them sooner. */
const REFRESH_MS = 60_000

export const EVENT_WORDS: Record<WorkloadEvent['kind'], string> = {
  podStarted: 'pod began',
  podStopped: 'pod ended',
  restart: 'restart',
  scale: 'scaled',
  rollout: 'rollout',
  onset: 'onset',
}

const NONE: readonly EventTick[] = []

interface Pods {
  /** What happened to them, for the charts; the onset has a line of its own there. */
  readonly ticks: readonly EventTick[]
  /** The busiest pod against the middle one; null where pods are not told apart. */
  readonly maxOverMedian: number | null
}

/** What the charts of a workload say of its pods. */
export function usePodMarks(id: string): Pods {
  const asking = useAsking()
  const [cluster = '', namespace = '', ...name] = id.split('/')
  const { data } = useQuery({
    ...eventsQuery({ cluster, namespace, name: name.join('/') }, asking),
    refetchInterval: atLeisure(REFRESH_MS, asking),
  })
  const ticks = useMemo(
    () =>
      data?.events
        .filter(({ kind }) => kind !== 'onset')
        .map(({ at, kind, text }) => ({ atMs: Date.parse(at), text: `${EVENT_WORDS[kind]}: ${text}` })) ?? NONE,
    [data],
  )
  return { ticks, maxOverMedian: data?.maxOverMedian ?? null }
}
