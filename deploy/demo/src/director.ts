import type { PhasePlan } from './scenarios/scenario.ts'

export interface DirectorState {
  readonly phase: PhasePlan
  /** Unix seconds. */
  readonly phaseStartedAt: number
  /** Unix seconds; null while the timer is off. */
  readonly phaseEndsAt: number | null
  readonly loop: number
}

/** Plays the phases in turn on a timer, or as told. */
export interface Director {
  state(): DirectorState
  /** Moves on if it is time to; called a few times per second. */
  tick(): Promise<void>
  goTo(phaseName: string): Promise<boolean>
  setTimer(on: boolean): void
}

export function createDirector(deps: {
  phases: readonly PhasePlan[]
  timerOn: boolean
  nowSeconds: () => number
  /** Makes the world what the phase says. */
  enter: (phase: PhasePlan, loop: number) => Promise<void>
  setUsers: (users: number) => void
}): Director {
  const { phases, nowSeconds } = deps
  const first = phases[0]
  if (!first) throw new Error('A scenario needs a phase')
  const firstPhase = first
  let phase = firstPhase
  let startedAt = nowSeconds()
  let endsAt = deps.timerOn ? startedAt + phase.durationSeconds : null
  let loop = 1
  let users: number | undefined
  let changing: Promise<void> = Promise.resolve()

  function usersNow(): number {
    const elapsed = nowSeconds() - startedAt
    return phase.users.findLast((step) => step.afterSeconds <= elapsed)?.users ?? 0
  }

  function applyUsers(): void {
    const wanted = usersNow()
    if (wanted === users) return
    users = wanted
    deps.setUsers(wanted)
  }

  async function enter(next: PhasePlan): Promise<void> {
    if (next === firstPhase && phase !== firstPhase) loop++
    phase = next
    startedAt = nowSeconds()
    if (endsAt !== null) endsAt = startedAt + next.durationSeconds
    await deps.enter(next, loop)
    applyUsers()
  }

  /** One change at a time: scaling takes a moment. */
  function inTurn(next: () => PhasePlan | undefined): Promise<void> {
    changing = changing.then(async () => {
      const wanted = next()
      if (wanted) await enter(wanted)
    })
    return changing
  }

  return {
    state: () => ({ phase, phaseStartedAt: startedAt, phaseEndsAt: endsAt, loop }),
    async tick() {
      applyUsers()
      if (endsAt === null || nowSeconds() < endsAt) return
      await inTurn(() => {
        if (endsAt === null || nowSeconds() < endsAt) return undefined
        return phases[(phases.indexOf(phase) + 1) % phases.length]
      })
    },
    async goTo(phaseName) {
      const wanted = phases.find((known) => known.name === phaseName)
      if (wanted) await inTurn(() => wanted)
      return wanted !== undefined
    },
    setTimer(on) {
      if (on === (endsAt !== null)) return
      endsAt = on ? nowSeconds() + phase.durationSeconds : null
    },
  }
}
