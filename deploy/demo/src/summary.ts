import type { Scenario } from './scenarios/scenario.ts'

export interface Urls {
  readonly goldseam: string | null
  readonly control: string
  readonly prometheus: Readonly<Record<string, string>>
}

export function summary(what: { scenario: Scenario; urls: Urls; runFolder: string | null; manual: boolean }): string {
  const { scenario, urls } = what
  const rows = [
    ...(urls.goldseam === null
      ? []
      : [
          ['Goldseam', urls.goldseam],
          ['Wall, for a screen', `${urls.goldseam}wall`],
        ]),
    ['Control page', urls.control],
    ...Object.entries(urls.prometheus).map(([cluster, url]) => [`Prometheus ${cluster}`, url]),
    ...(what.runFolder === null ? [] : [['Files of this run', `${what.runFolder} (removed at the end)`]]),
  ]
  const phases = scenario.phases.map(({ title, durationSeconds }) => `${title} ${durationSeconds} s`).join(' → ')
  return [
    '',
    ...rows.map(([name, value]) => `  ${(name ?? '').padEnd(18)} ${value}`),
    '',
    `  ${scenario.scale}`,
    what.manual ? '  It stays calm until the control page says otherwise.' : `  ${phases}, then again.`,
    what.runFolder === null
      ? '  Ctrl-C stops everything.'
      : '  All of it listens on this machine only. Ctrl-C stops everything.',
    '',
  ].join('\n')
}
