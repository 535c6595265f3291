import type { Pod } from '../mesh/pod.ts'

export const PROBE_INTERVAL_SECONDS = 10

/** Asks every pod's proxy now and then whether it is ready, as a kubelet does, a few pods each second. */
export function startProbes(pods: () => readonly Pod[]): { stop(): void } {
  let second = 0
  const timer = setInterval(() => {
    second++
    pods().forEach((pod, i) => {
      if (i % PROBE_INTERVAL_SECONDS === second % PROBE_INTERVAL_SECONDS) void pod.askAdmin('/ready')
    })
  }, 1000)
  return { stop: () => clearInterval(timer) }
}
