import type { PrometheusFleet } from '../prometheus/fleet.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import type { Stage } from '../stage.ts'
import type { Urls } from '../summary.ts'
import type { ControlActions } from './api.ts'

const RECENT_TOTALS = 60

export function controlActions(deps: {
  scenario: Scenario
  stage: Stage
  fleet: PrometheusFleet
  urls: Urls
  /** Goldseam's, when it was started too. */
  configFile: string | null
}): ControlActions {
  const { scenario, stage, fleet, urls } = deps
  const { director, recorder, crowds } = stage
  return {
    state() {
      const { phase, phaseStartedAt, phaseEndsAt, loop } = director.state()
      const secondsLeft = phaseEndsAt === null ? null : Math.max(0, phaseEndsAt - Date.now() / 1000)
      return {
        scenario: scenario.name,
        title: scenario.title,
        scale: scenario.scale,
        culprit: scenario.culprit,
        cast: scenario.cast,
        phase: phase.name,
        phaseStartedAt,
        phaseEndsAt,
        firstRequestOfPhaseAt: recorder.firstRequestOfPhaseAt(),
        loop,
        timer: { on: phaseEndsAt !== null, secondsLeft },
        users: crowds.users(),
        phases: scenario.phases.map(({ name, title, text, durationSeconds }) => ({
          name,
          title,
          text,
          durationSeconds,
        })),
        load: {
          recent: recorder.recent(),
          total: recorder.totals(),
          phases: recorder.phases(),
          cumulative: recorder.cumulative().slice(-RECENT_TOTALS),
        },
        urls,
        configFile: deps.configFile,
        prometheus: Object.fromEntries(
          [...fleet.servers].map(([cluster, server]) => [cluster, { url: server.url, pid: server.pid() }]),
        ),
      }
    },
    load: () => ({ total: recorder.totals(), phases: recorder.phases(), cumulative: recorder.cumulative() }),
    async goTo(phase) {
      const known = await director.goTo(phase)
      return known ? undefined : `Unknown phase. Known: ${scenario.phases.map(({ name }) => name).join(', ')}.`
    },
    setTimer: (on) => director.setTimer(on),
    async prometheus(cluster, action) {
      const server = fleet.servers.get(cluster)
      if (!server) return `Unknown cluster. Known: ${scenario.clusters.join(', ')}.`
      if (action === 'stop') await server.stop()
      else await fleet.start(cluster)
      return undefined
    },
  }
}
