import { describe, expect, test } from 'vitest'
import { assess, type ClusterView } from './assess.ts'
import type { Axis } from './baseline.ts'
import { parseWorkloadId, type WorkloadRef } from './identity.ts'
import { destinationKey, emptyObservation, newInbound, noClues, type Observation } from './observation.ts'
import { type Situation, situationOf } from './situation.ts'
import { stitch } from './stitch/stitch.ts'
import { buildWorld } from './stitch/world.ts'
import { judge } from './suspects.ts'
import { emptyTraffic, type Traffic } from './traffic.ts'
import { verdictOf } from './verdict.ts'

const WINDOW_SECONDS = 60
const AT = 1_800_000_000
const axis: Axis = { fromSeconds: AT - 299 * 15, stepSeconds: 15, steps: 300 }
/** The incident began two minutes ago. */
const ONSET_STEP = 292

function ref(id: string): WorkloadRef {
  const parsed = parseWorkloadId(id)
  if (parsed === undefined) throw new Error(`bad id in a test: ${id}`)
  return parsed
}

/** A quantity that is `usual` until the onset and `now` since. */
interface Course {
  readonly rate: number
  readonly usual: number
  readonly now: number
  readonly failing?: number
}

function traffic(course: Course, steps: number): Traffic {
  const made = emptyTraffic(steps)
  for (let step = 0; step < steps; step += 1) {
    const late = steps === 1 || step >= ONSET_STEP
    const failures = late ? (course.failing ?? 0) : 0
    made.success[step] = course.rate - failures
    made.failures[step] = failures
    made.latencyCount[step] = course.rate
    made.latencySeconds[step] = course.rate * (late ? course.now : course.usual)
  }
  return made
}

interface Graph {
  readonly nodes: Readonly<Record<string, Course>>
  readonly calls: readonly { from: string; to: string; course: Course }[]
}

function observe(cluster: string, { nodes, calls }: Graph, steps: number): Observation {
  const observation = emptyObservation(cluster, steps)
  for (const [id, course] of Object.entries(nodes)) {
    if (!id.startsWith(`${cluster}/`)) continue
    observation.inbound.set(id, {
      ...newInbound(ref(id), steps),
      total: traffic(course, steps),
      byHost: new Map([[`${id.split('/')[2]}.example`, traffic(course, steps)]]),
    })
  }
  for (const { from, to, course } of calls) {
    if (!from.startsWith(`${cluster}/`)) continue
    const inside = to.startsWith(`${cluster}/`)
    const destination = inside
      ? ({ kind: 'workload', workload: ref(to), service: null } as const)
      : ({ kind: 'host', host: `${to.split('/').at(-1)}.example` } as const)
    observation.outbound.set(`${from} ${destinationKey(destination)}`, {
      from: ref(from),
      destination,
      traffic: traffic(course, steps),
      measure: 'firstByte',
      attempts: 'each',
      serverId: null,
      clues: noClues(),
      tcp: null,
    })
  }
  return observation
}

function situation(graph: Graph, silent: readonly string[] = []): Situation {
  const clusters = ['east', 'west'].map((name): ClusterView => {
    const stale = silent.includes(name)
    return {
      name,
      state: stale ? 'stale' : 'current',
      ageSeconds: stale ? 40 : 0,
      now: observe(name, graph, 1),
      history: observe(name, graph, axis.steps),
      compare: null,
    }
  })
  const world = buildWorld(
    clusters.map(({ name, now, history }) => ({ now: now ?? emptyObservation(name, 1), before: history })),
    { ingresses: [], routes: [] },
  )
  const assessment = assess(clusters, axis, AT, WINDOW_SECONDS)
  return situationOf({
    atSeconds: AT,
    windowSeconds: WINDOW_SECONDS,
    axis,
    clusters,
    assessment,
    stitched: stitch(world),
  })
}

const say = (of: Situation) => verdictOf(of, judge(of))
const calm = (rate: number, seconds: number): Course => ({ rate, usual: seconds, now: seconds })

/** front (east) calls api (west) by host; api calls store. `slow` seconds are added inside store. */
function chain(slow: number): Graph {
  return {
    nodes: {
      'east/web/front': { rate: 40, usual: 0.1, now: 0.1 + slow },
      'west/app/api': { rate: 40, usual: 0.07, now: 0.07 + slow },
      'west/app/store': { rate: 40, usual: 0.03, now: 0.03 + slow },
      'west/app/other': calm(5, 0.02),
    },
    calls: [
      { from: 'east/web/front', to: 'west/app/api', course: { rate: 40, usual: 0.075, now: 0.075 + slow } },
      { from: 'west/app/api', to: 'west/app/store', course: { rate: 40, usual: 0.031, now: 0.031 + slow } },
      { from: 'west/app/api', to: 'west/app/other', course: calm(5, 0.021) },
    ],
  }
}

describe('the sentence', () => {
  test('quiet, with what it is quiet about', () => {
    expect(say(situation(chain(0)))).toMatchObject({
      form: 'quiet',
      text: 'All quiet. 4 workloads in 2 clusters within their usual range.',
    })
  })

  test('one suspect across the seam, with the arithmetic', () => {
    const verdict = say(situation(chain(0.7)))
    expect(verdict).toMatchObject({
      form: 'suspect',
      subject: 'east/web/front',
      suspect: 'west/app/store',
      word: 'strong',
    })
    expect(verdict.text).toContain('web/front (east) is slow because of app/store (west), 2 calls down.')
    expect(verdict.text).toContain("Store's own time is 700 ms of the 700 ms.")
  })

  test('a change nobody feels names nobody', () => {
    expect(say(situation(chain(0.008))).form).toBe('quiet')
  })

  test('the far cluster is silent: the direction is named, nobody is', () => {
    const silent = situation(chain(0.7), ['west'])
    const verdict = say(silent)
    expect(judge(silent).suspects).toEqual([])
    expect(judge(silent).cannotJudge).toEqual([{ id: 'beyond/west', why: 'west does not answer' }])
    expect(verdict).toMatchObject({ form: 'unknown', suspect: null, subject: 'east/web/front' })
    expect(verdict.text).toMatch(
      /700 ms of the 700 ms it gained lie beyond the seam to west.*west has not answered for 40 s/,
    )
  })

  test('a weak suspect is not named while a cluster is silent', () => {
    const graph = chain(0)
    const outside: Graph = {
      nodes: { 'east/web/front': { rate: 40, usual: 0.1, now: 0.6 }, 'west/app/api': calm(40, 0.02) },
      calls: [
        ...graph.calls.filter(({ from }) => from.startsWith('west/')),
        { from: 'east/web/front', to: 'out/side/pay', course: { rate: 40, usual: 0.02, now: 0.52 } },
      ],
    }
    expect(say(situation(outside))).toMatchObject({ form: 'suspect', word: 'weak' })
    const verdict = say(situation(outside, ['west']))
    expect(verdict).toMatchObject({ form: 'unknown', suspect: null, subject: 'east/web/front' })
    expect(verdict.text).toContain('I cannot say why: west has not answered for 40 s')
  })

  test('quiet where one can see, and no more than that', () => {
    const verdict = say(situation(chain(0), ['west']))
    expect(verdict).toMatchObject({ form: 'unknown' })
    expect(verdict.text).toBe('Nothing unusual in 1 of 2 clusters. west has not answered for 40 s.')
  })

  test('two incidents without a shared suspect are two problems', () => {
    const graph = chain(0.7)
    const both: Graph = {
      nodes: { ...graph.nodes, 'east/pay/ledger': { rate: 12, usual: 0.05, now: 0.3 } },
      calls: graph.calls,
    }
    const verdict = say(situation(both))
    expect(verdict).toMatchObject({ form: 'several', suspect: 'west/app/store' })
    expect(verdict.text).toMatch(/^2 separate problems\. Worst: web\/front/)
  })

  test('the time is lost between two workloads: the way is named', () => {
    const graph = chain(0)
    const seam: Graph = {
      nodes: { ...graph.nodes, 'east/web/front': { rate: 40, usual: 0.1, now: 0.6 } },
      calls: graph.calls.map((call) =>
        call.to === 'west/app/api' ? { ...call, course: { rate: 40, usual: 0.075, now: 0.575 } } : call,
      ),
    }
    expect(say(situation(seam))).toMatchObject({ form: 'suspect', suspect: 'east/web/front~west/app/api' })
  })

  test('of several calls over one seam that are slow together, the seam is named', () => {
    const ends = ['api', 'bill', 'note', 'mail', 'find']
    const calls = ends.map((name) => ({
      from: 'east/web/front',
      to: `west/app/${name}`,
      course: { rate: 40, usual: 0.02, now: 0.12 },
    }))
    const seam: Graph = {
      nodes: {
        'east/web/front': { rate: 40, usual: 0.12, now: 0.62 },
        ...Object.fromEntries(calls.map(({ to }) => [to, calm(40, 0.015)])),
      },
      calls,
    }
    const verdict = say(situation(seam))
    expect(verdict).toMatchObject({ form: 'suspect', suspect: 'east/web/front~west/app/api' })
    expect(verdict.text).toContain('the way from east to west, over 5 calls alike: 500 ms of the 500 ms are lost there')
  })

  test('who would be a slowdown alone is named beside a far larger one', () => {
    const graph = chain(0.7)
    const both: Graph = {
      nodes: {
        ...graph.nodes,
        'east/web/front': { rate: 40, usual: 0.1, now: 0.9 },
        'west/app/api': { rate: 40, usual: 0.07, now: 0.87 },
        'west/app/store': { rate: 40, usual: 0.03, now: 0.73 },
      },
      calls: graph.calls.map((call) =>
        call.from === 'east/web/front' ? { ...call, course: { rate: 40, usual: 0.075, now: 0.875 } } : call,
      ),
    }
    // Of what api gained a part is its own, but most is what it waits for.
    expect(judge(situation(both)).suspects.map(({ id }) => id)).toEqual(['west/app/store'])
    const apart: Graph = {
      nodes: { ...both.nodes, 'west/app/other': { rate: 40, usual: 0.02, now: 0.12 } },
      calls: both.calls.map((call) =>
        call.to === 'west/app/other' ? { ...call, course: { rate: 40, usual: 0.021, now: 0.121 } } : call,
      ),
    }
    const found = judge(situation(apart))
    expect(found.suspects.map(({ id }) => id)).toEqual(['west/app/store', 'west/app/other'])
    expect(found.problems).toHaveLength(1)
  })

  test('a callee outside the mesh gets the time, without a claim about its inside', () => {
    const graph = chain(0)
    const outside: Graph = {
      nodes: { ...graph.nodes, 'east/web/front': { rate: 40, usual: 0.1, now: 0.6 } },
      calls: [
        ...graph.calls,
        { from: 'east/web/front', to: 'out/side/pay', course: { rate: 40, usual: 0.02, now: 0.52 } },
      ],
    }
    const verdict = say(situation(outside))
    expect(verdict).toMatchObject({ form: 'suspect', suspect: 'outside/pay.example', word: 'weak' })
    expect(verdict.text).toContain('pay.example or what is behind it')
  })

  test('failures are followed to where they begin', () => {
    const graph = chain(0)
    const failing = (course: Course): Course => ({ ...course, failing: 8 })
    const errors: Graph = {
      nodes: Object.fromEntries(
        Object.entries(graph.nodes).map(([id, course]) => [id, id.endsWith('other') ? course : failing(course)]),
      ),
      calls: graph.calls.map((call) => (call.to.endsWith('other') ? call : { ...call, course: failing(call.course) })),
    }
    const verdict = say(situation(errors))
    expect(verdict).toMatchObject({ form: 'suspect', suspect: 'west/app/store' })
    expect(verdict.text).toContain('web/front (east) fails because of app/store (west)')
  })
})

describe('chance', () => {
  const rare = (failing: number) => {
    const graph = chain(0)
    return situation({
      nodes: { ...graph.nodes, 'west/app/other': { ...calm(5, 0.02), failing } },
      calls: graph.calls,
    })
  }

  test('a handful of failures in a window is no trouble', () => {
    // Five of the window's 300 requests.
    expect(say(rare(5 / WINDOW_SECONDS)).form).toBe('quiet')
  })

  test('more than chance brings is', () => {
    expect(say(rare(12 / WINDOW_SECONDS))).toMatchObject({ form: 'suspect', suspect: 'west/app/other' })
  })
})

describe('the argument', () => {
  const found = situation(chain(0.7))
  const { suspects, via, cleared, problems } = judge(found)

  test('shares are of the entry, and add up', () => {
    expect(suspects).toHaveLength(1)
    expect(suspects[0]).toMatchObject({ id: 'west/app/store', of: 'east/web/front' })
    expect(suspects[0]?.share).toBeCloseTo(1, 9)
  })

  test('the way leads over the seam, and names the victims', () => {
    expect(suspects[0]?.path).toEqual(['east/web/front', 'west/app/api', 'west/app/store'])
    expect(suspects[0]?.victims).toEqual(['east/web/front', 'west/app/api'])
    expect(via.get('west/app/api')).toBe('west/app/store')
    expect(cleared).toContain('west/app/api')
    expect(problems).toEqual([['west/app/store', 'east/web/front']])
  })

  test('evidence says what was looked for, found or not', () => {
    const answers = Object.fromEntries(suspects[0]?.evidence.map(({ name, answer }) => [name, answer]) ?? [])
    expect(answers).toMatchObject({ share: true, callees: true, first: true, traffic: false, events: null })
  })

  test('asked for one workload, the same is said of that one', () => {
    const focused = judge(found, 'west/app/api')
    expect(focused.suspects[0]).toMatchObject({ id: 'west/app/store', of: 'west/app/api' })
  })
})

test('the first seconds of a deviation name nobody yet', () => {
  const early = chain(0.7)
  const clusters = ['east', 'west'].map(
    (name): ClusterView => ({
      name,
      state: 'current',
      ageSeconds: 0,
      now: observe(name, early, 1),
      history: observe(name, early, axis.steps),
      compare: null,
    }),
  )
  const atOnset = axis.fromSeconds + ONSET_STEP * 15 + 10
  const { workloads } = assess(clusters, axis, atOnset, WINDOW_SECONDS)
  expect(workloads.get('east/web/front')?.trouble).toMatchObject({ latency: 'none', latencySoon: 'crit' })
})

test('a chain in trouble is told from its start as soon as any of it is sure', () => {
  const settled = situation(chain(0.7))
  const { assessment } = settled
  const front = assessment.workloads.get('east/web/front')
  if (front === undefined) throw new Error('the test lost its front')
  // The front's own deviation is too young yet.
  const young = { ...front, trouble: { ...front.trouble, latency: 'none' as const } }
  const told = situationOf({
    atSeconds: AT,
    windowSeconds: WINDOW_SECONDS,
    axis,
    clusters: [...settled.clusters.values()],
    assessment: { ...assessment, workloads: new Map(assessment.workloads).set(front.id, young) },
    stitched: settled.stitched,
  })
  expect(say(told)).toMatchObject({ subject: 'east/web/front', suspect: 'west/app/store' })
})
