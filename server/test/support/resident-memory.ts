import { readFileSync, writeFileSync } from 'node:fs'

/** What a process holds in memory, as Linux counts it: garbage too, as it does for whoever sets a limit. */
export interface ResidentMemory {
  /** Counts the peak of `peakBytes` from here. */
  forgetPeak(): void
  /** Resident now, bytes. */
  residentBytes(): number
  /** The most that was resident at any moment since `forgetPeak`, bytes. */
  peakBytes(): number
}

/** "5" resets the peak of the resident size (proc_pid_clear_refs(5)). */
const RESET_PEAK = '5'

export function residentMemory(pid: number | 'self'): ResidentMemory {
  const memory = (field: 'VmRSS' | 'VmHWM') => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1_024
  }
  return {
    forgetPeak: () => writeFileSync(`/proc/${pid}/clear_refs`, RESET_PEAK),
    residentBytes: () => memory('VmRSS'),
    peakBytes: () => memory('VmHWM'),
  }
}
