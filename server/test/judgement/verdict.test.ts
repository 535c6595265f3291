import { describe, expect, test } from 'vitest'
import { assess } from '../../src/domain/assess.ts'
import { type Situation, situationOf } from '../../src/domain/situation.ts'
import { judge } from '../../src/domain/suspects.ts'
import { verdictOf } from '../../src/domain/verdict.ts'
import { AT, type Course, course, type Given, situationIn, WINDOW_SECONDS } from './incident-world.ts'

const say = (of: Situation) => verdictOf(of, judge(of))
const calm = (rate: number, seconds: number) => course(rate, seconds, seconds)

/** front (east) calls api (west) by host; api calls store. `slow` seconds are added inside store. */
function chain(slow: number): Given {
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
    expect(say(situationIn(chain(0)))).toMatchObject({
      form: 'quiet',
      text: 'All quiet. 4 workloads in 2 clusters within their usual range.',
    })
  })

  test('one suspect across the seam, with the arithmetic', () => {
    const verdict = say(situationIn(chain(0.7)))
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
    expect(say(situationIn(chain(0.008))).form).toBe('quiet')
  })

  test('the far cluster is silent: the direction is named, nobody is', () => {
    const silent = situationIn({ ...chain(0.7), silent: ['west'] })
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
    const outside: Given = {
      nodes: { 'east/web/front': { rate: 40, usual: 0.1, now: 0.6 }, 'west/app/api': calm(40, 0.02) },
      calls: [
        ...graph.calls.filter(({ from }) => from.startsWith('west/')),
        { from: 'east/web/front', to: 'out/side/pay', course: { rate: 40, usual: 0.02, now: 0.52 } },
      ],
    }
    expect(say(situationIn(outside))).toMatchObject({ form: 'suspect', word: 'weak' })
    const verdict = say(situationIn({ ...outside, silent: ['west'] }))
    expect(verdict).toMatchObject({ form: 'unknown', suspect: null, subject: 'east/web/front' })
    expect(verdict.text).toContain('I cannot say why: west has not answered for 40 s')
  })

  test('quiet where one can see, and no more than that', () => {
    const verdict = say(situationIn({ ...chain(0), silent: ['west'] }))
    expect(verdict).toMatchObject({ form: 'unknown' })
    expect(verdict.text).toBe('Nothing unusual in 1 of 2 clusters. west has not answered for 40 s.')
  })

  test('two incidents without a shared suspect are two problems', () => {
    const graph = chain(0.7)
    const both: Given = {
      nodes: { ...graph.nodes, 'east/pay/ledger': { rate: 12, usual: 0.05, now: 0.3 } },
      calls: graph.calls,
    }
    const verdict = say(situationIn(both))
    expect(verdict).toMatchObject({ form: 'several', suspect: 'west/app/store' })
    expect(verdict.text).toMatch(/^2 separate problems\. Worst: web\/front/)
  })

  test('the time is lost between two workloads: the way is named', () => {
    const graph = chain(0)
    const seam: Given = {
      nodes: { ...graph.nodes, 'east/web/front': { rate: 40, usual: 0.1, now: 0.6 } },
      calls: graph.calls.map((call) =>
        call.to === 'west/app/api' ? { ...call, course: { rate: 40, usual: 0.075, now: 0.575 } } : call,
      ),
    }
    expect(say(situationIn(seam))).toMatchObject({ form: 'suspect', suspect: 'east/web/front~west/app/api' })
  })

  test('of several calls over one seam that are slow together, the seam is named', () => {
    const ends = ['api', 'bill', 'note', 'mail', 'find']
    const calls = ends.map((name) => ({
      from: 'east/web/front',
      to: `west/app/${name}`,
      course: { rate: 40, usual: 0.02, now: 0.12 },
    }))
    const seam: Given = {
      nodes: {
        'east/web/front': { rate: 40, usual: 0.12, now: 0.62 },
        ...Object.fromEntries(calls.map(({ to }) => [to, calm(40, 0.015)])),
      },
      calls,
    }
    const verdict = say(situationIn(seam))
    expect(verdict).toMatchObject({ form: 'suspect', suspect: 'east/web/front~west/app/api' })
    expect(verdict.text).toContain('the way from east to west, over 5 calls alike: 500 ms of the 500 ms are lost there')
  })

  test('who would be a slowdown alone is named beside a far larger one', () => {
    const graph = chain(0.7)
    const withOwn = (ownSeconds: number): Given => ({
      nodes: {
        ...graph.nodes,
        'east/web/front': { rate: 40, usual: 0.1, now: 0.8 + ownSeconds },
        'west/app/api': { rate: 40, usual: 0.07, now: 0.77 + ownSeconds },
        'west/app/store': { rate: 40, usual: 0.03, now: 0.73 },
      },
      calls: graph.calls.map((call) =>
        call.from === 'east/web/front'
          ? { ...call, course: { rate: 40, usual: 0.075, now: 0.775 + ownSeconds } }
          : call,
      ),
    })
    // Of what api gained a part is its own, but most is what it waits for: named only if it would have doubled it alone.
    const both = withOwn(0.06)
    expect(judge(situationIn(both)).suspects.map(({ id }) => id)).toEqual(['west/app/store'])
    const doubled = judge(situationIn(withOwn(0.1)))
    expect(doubled.suspects.map(({ id }) => id)).toEqual(['west/app/store', 'west/app/api'])
    expect(doubled.problems).toHaveLength(1)
    const apart: Given = {
      nodes: { ...both.nodes, 'west/app/other': { rate: 40, usual: 0.02, now: 0.12 } },
      calls: both.calls.map((call) =>
        call.to === 'west/app/other' ? { ...call, course: { rate: 40, usual: 0.021, now: 0.121 } } : call,
      ),
    }
    const found = judge(situationIn(apart))
    expect(found.suspects.map(({ id }) => id)).toEqual(['west/app/store', 'west/app/other'])
    expect(found.problems).toHaveLength(1)
  })

  test('a callee outside the mesh gets the time, without a claim about its inside', () => {
    const graph = chain(0)
    const outside: Given = {
      nodes: { ...graph.nodes, 'east/web/front': { rate: 40, usual: 0.1, now: 0.6 } },
      calls: [
        ...graph.calls,
        { from: 'east/web/front', to: 'out/side/pay', course: { rate: 40, usual: 0.02, now: 0.52 } },
      ],
    }
    const verdict = say(situationIn(outside))
    expect(verdict).toMatchObject({ form: 'suspect', suspect: 'outside/pay.example', word: 'weak' })
    expect(verdict.text).toContain('pay.example or what is behind it')
  })

  test('failures are followed to where they begin', () => {
    const graph = chain(0)
    const failing = (course: Course): Course => ({ ...course, failing: 8 })
    const errors: Given = {
      nodes: Object.fromEntries(
        Object.entries(graph.nodes).map(([id, course]) => [id, id.endsWith('other') ? course : failing(course)]),
      ),
      calls: graph.calls.map((call) => (call.to.endsWith('other') ? call : { ...call, course: failing(call.course) })),
    }
    const verdict = say(situationIn(errors))
    expect(verdict).toMatchObject({ form: 'suspect', suspect: 'west/app/store' })
    expect(verdict.text).toContain('web/front (east) fails because of app/store (west)')
  })
})

describe('chance', () => {
  const rare = (failing: number) => {
    const graph = chain(0)
    return situationIn({
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
  const found = situationIn(chain(0.7))
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
  const { clusters, axis } = situationIn(chain(0.7))
  // The trouble began eight steps ago.
  const atOnset = AT - 8 * axis.stepSeconds + 25
  const { workloads } = assess([...clusters.values()], axis, atOnset, WINDOW_SECONDS)
  expect(workloads.get('east/web/front')?.trouble).toMatchObject({ latency: 'none', latencySoon: 'crit' })
})

test('a chain in trouble is told from its start as soon as any of it is sure', () => {
  const settled = situationIn(chain(0.7))
  const { assessment } = settled
  const front = assessment.workloads.get('east/web/front')
  if (front === undefined) throw new Error('the test lost its front')
  // The front's own deviation is too young yet.
  const young = { ...front, trouble: { ...front.trouble, latency: 'none' as const } }
  const told = situationOf({
    ...settled,
    clusters: [...settled.clusters.values()],
    assessment: { ...assessment, workloads: new Map(assessment.workloads).set(front.id, young) },
  })
  expect(say(told)).toMatchObject({ subject: 'east/web/front', suspect: 'west/app/store' })
})
