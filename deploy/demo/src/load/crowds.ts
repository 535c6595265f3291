import type { Scenario } from '../scenarios/scenario.ts'
import type { Transport } from '../transport/transport.ts'
import type { World } from '../world/world.ts'
import type { LoadRecorder } from './counts.ts'
import { createVirtualUsers } from './virtual-users.ts'

/** The counted users of a scenario and its background users. */
export interface Crowds {
  start(users: number): void
  setUsers(users: number): void
  users(): number
  /** Everybody leaves; resolves when the last answer is in. */
  stop(): Promise<void>
}

export function createCrowds(transport: Transport, scenario: Scenario, world: World, recorder?: LoadRecorder): Crowds {
  const counted = createVirtualUsers({
    transport,
    ...scenario.load,
    entryPort: () => world.entryPort(scenario.load.host),
    ...(recorder ? { recorder } : {}),
  })
  const background = scenario.background.map((plan) => ({
    users: plan.users,
    crowd: createVirtualUsers({ transport, ...plan, entryPort: () => world.entryPort(plan.host) }),
  }))
  return {
    start(users) {
      counted.setUsers(users)
      for (const { crowd, users } of background) crowd.setUsers(users)
    },
    setUsers: (users) => counted.setUsers(users),
    users: () => counted.users(),
    async stop() {
      for (const crowd of [counted, ...background.map(({ crowd }) => crowd)]) {
        crowd.setUsers(0)
        await crowd.drained()
      }
    },
  }
}
