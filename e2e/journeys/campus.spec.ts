import { expect, type Page, test } from '@playwright/test'
import { api, appUrl, demoState, prometheus, turnTo } from '../support/control.ts'
import { openWall } from '../support/open-wall.ts'
import { expectAccessible, watchConsole } from '../support/page-watch.ts'

const X = 'east/clinic/scheduler'
const D = 'west/campus/directory'
const NAMED = /clinic\/scheduler \(east\) is slow because of campus\/directory \(west\)/

interface Suspects {
  verdict: { form: string; text: string; suspect: string | null }
  deltaSeconds: number | null
  suspects: { id: string; own: { of: string; share: number } }[]
  contributions: { id: string; kind: string; seconds: number; share: number | null }[]
}

interface Fleet {
  snapshot: { at: string; rateWindowSeconds: number }
  verdict: { form: string }
  workloads: {
    id: string
    truth: string
    now: {
      requestsPerSecond: number | null
      successRatio: number | null
      latencySeconds: Record<'mean' | 'p50' | 'p95' | 'p99', number | null>
    }
  }[]
}

const suspectsOf = (focus: string): Promise<Suspects> => api(`/api/v1/suspects?focus=${focus}`)
const verdictOn = (page: Page) => page.getByRole('region', { name: 'Verdict', exact: true })
const dependenciesOn = (page: Page) => page.getByRole('region', { name: 'Dependencies' })
const pillsOn = (page: Page) => page.getByRole('list', { name: 'Clusters' })

test.describe.configure({ mode: 'serial' })

test.describe('the campus story', () => {
  let page: Page
  let complaints: readonly string[]
  /** What the load generator had counted at instants, unix seconds. */
  const marks = new Map<number, number>()
  /** The control page remembers a minute; a rate window and the lag of a snapshot are a little more. Answers how much is known. */
  const noteLoad = async () => {
    for (const mark of (await demoState()).load.cumulative) {
      marks.set(mark.at, mark.ok + mark.failed + mark.timeouts)
    }
    return Math.max(...marks.keys()) - Math.min(...marks.keys())
  }

  test.beforeAll(async ({ browser }) => {
    const context = await browser.newContext()
    page = await context.newPage()
    complaints = watchConsole(page)
  })
  test.afterAll(async () => page.context().close())
  test.afterEach(async () => {
    expect(complaints).toEqual([])
    await noteLoad()
  })

  test('in calm nobody is named, and both clusters stand in one table', async () => {
    await page.goto(`${appUrl()}/`)
    // The journeys before this one may have kept the processors from the services for a while.
    await expect(verdictOn(page)).toContainText('All quiet', { timeout: 90_000 })
    for (const name of ['clinic/scheduler', 'campus/directory', 'campus/appointments']) {
      await expect(page.getByRole('link', { name: new RegExp(name) }).first()).toBeVisible()
    }
    await expectAccessible(page)
  })

  test('every number is the one that Prometheus itself computes', async () => {
    const live = await api<Fleet>('/api/v1/fleet')
    // A frozen view asks everything at its instant; live percentiles may be half a minute older than the rates.
    const { snapshot, workloads } = await api<Fleet>(`/api/v1/fleet?to=${live.snapshot.at}`)
    expect(workloads.length).toBe(live.workloads.length)
    const { urls } = await demoState()
    const at = Date.parse(snapshot.at) / 1000
    expect(snapshot.at).toBe(live.snapshot.at)
    const inbound = 'direction="inbound",target_port!="4191",route_name!="probe"'
    const window = `[${snapshot.rateWindowSeconds}s]`
    const by = 'sum by (namespace,deployment'
    const ask = async (url: string, query: string): Promise<Map<string, number>> => {
      const response = await fetch(`${url}/api/v1/query`, {
        method: 'POST',
        body: new URLSearchParams({ query, time: String(at) }),
      })
      const { data } = (await response.json()) as {
        data: { result: { metric: Record<string, string>; value: [number, string] }[] }
      }
      return new Map(
        data.result.map(({ metric, value }) => [`${metric.namespace}/${metric.deployment}`, Number(value[1])]),
      )
    }
    let compared = 0
    for (const [cluster, url] of Object.entries(urls.prometheus)) {
      const rate = await ask(url, `${by}) (rate(response_total{${inbound}}${window}))`)
      const good = await ask(url, `${by}) (rate(response_total{${inbound},classification="success"}${window}))`)
      const quantiles = { p50: 0.5, p95: 0.95, p99: 0.99 } as const
      for (const workload of workloads.filter(({ id }) => id.startsWith(`${cluster}/`))) {
        const name = workload.id.slice(cluster.length + 1)
        const expected = rate.get(name) ?? Number.NaN
        expect(workload.now.requestsPerSecond, workload.id).toBeCloseTo(expected, 9)
        expect(workload.now.successRatio, workload.id).toBeCloseTo((good.get(name) ?? 0) / expected, 9)
      }
      for (const [percentile, q] of Object.entries(quantiles)) {
        const expected = await ask(
          url,
          `histogram_quantile(${q}, ${by},le) (rate(response_latency_ms_bucket{${inbound}}${window})))`,
        )
        for (const workload of workloads.filter(({ id }) => id.startsWith(`${cluster}/`))) {
          const ms = expected.get(workload.id.slice(cluster.length + 1)) ?? Number.NaN
          const seconds = workload.now.latencySeconds[percentile as keyof typeof quantiles]
          expect(seconds, `${workload.id} ${percentile}`).toBeCloseTo(ms / 1000, 9)
          compared += 1
        }
      }
    }
    expect(compared).toBe(3 * workloads.length)
  })

  test('within 90 s of the ramp the first screen names D in west, with no click', async () => {
    await turnTo('ramp')
    await expect(verdictOn(page)).toContainText(NAMED, { timeout: 95_000 })
    const { firstRequestOfPhaseAt } = await demoState()
    expect(Date.now() / 1000 - (firstRequestOfPhaseAt ?? 0)).toBeLessThan(90)
    const first = page.getByRole('row').filter({ hasText: 'campus/directory' }).first()
    await expect(first).toContainText('#1')
  })

  test('the API says the same, in numbers', async () => {
    // Before that D is still growing slower, and what lies between two scrapes of X and D goes to the links between them.
    let seen = await suspectsOf(X)
    await expect
      .poll(
        async () => {
          seen = await suspectsOf(X)
          return seen.deltaSeconds ?? 0
        },
        { timeout: 90_000, intervals: [5_000] },
      )
      .toBeGreaterThan(2)
    const { verdict, suspects, contributions, deltaSeconds } = seen
    expect(verdict.suspect).toBe(D)
    expect(suspects[0]).toMatchObject({ id: D, own: { of: X } })
    expect(suspects[0]?.own.share).toBeGreaterThan(0.8)
    for (const id of ['west/campus/pdf', 'west/campus/mail']) {
      const part = contributions.find((item) => item.id === id && item.kind === 'workload')
      expect(Math.abs(part?.share ?? 0), id).toBeLessThan(0.05)
    }
    const sum = contributions.reduce((total, { seconds }) => total + seconds, 0)
    expect(sum).toBeCloseTo(deltaSeconds ?? 0, 9)
  })

  test('the page of X opens its dependencies across the seam, down to D', async () => {
    await page.goto(`${appUrl()}/d/${X}`)
    await expect(verdictOn(page)).toContainText(NAMED)
    for (const name of ['appointments', 'permissions', 'directory']) {
      await expect(
        dependenciesOn(page)
          .getByRole('link', { name: new RegExp(`campus/${name}`) })
          .first(),
      ).toBeVisible()
    }
    await expect(dependenciesOn(page)).toContainText('seam')
    await expectAccessible(page)
  })

  test('the map shows the way over the seam to D, and s lays the argument beside it', async () => {
    await page.goto(`${appUrl()}/map`)
    await expect(page.getByRole('button', { name: new RegExp(`^${D}, .*suspect 1`) })).toBeVisible()
    await page.getByRole('button', { name: 'Seam from scheduler to appointments' }).click()
    await expect(page.getByRole('complementary')).toContainText('joined by host name')
    await expectAccessible(page)
    await page.keyboard.press('s')
    const argument = page.getByRole('region', { name: /campus\/directory \(west\)/ })
    await expect(argument).toContainText('of what clinic/scheduler gained')
    await expect(page.getByRole('region', { name: 'Who moved first' })).toContainText('campus/directory')
    await expectAccessible(page)
  })

  test('triage argues for D, and the wall names it from across the room', async ({ browser }) => {
    await page.goto(`${appUrl()}/triage`)
    await expect(verdictOn(page)).toContainText(NAMED)
    await expect(page.getByRole('region', { name: /campus\/directory \(west\)/ })).toContainText(
      'of what clinic/scheduler gained',
    )
    const { page: screen, wall } = await openWall(browser, `${appUrl()}/wall`)
    await expect(wall.getByRole('heading', { name: 'campus/directory' })).toBeVisible()
    await expect(wall.locator('.hero')).toContainText('clinic/scheduler')
    await screen.close()
  })

  test('compare, explore and the page of a cluster read the real servers too', async () => {
    await page.goto(`${appUrl()}/compare?a=west/campus/mail&b=${D}`)
    await expect(page.getByRole('region', { name: 'Side by side' })).toContainText('B worse')
    await expectAccessible(page)
    const promql = 'sum by (deployment) (rate(response_total{direction="inbound"}[1m]))'
    await page.goto(`${appUrl()}/explore?view=table&e1=${encodeURIComponent(promql)}`)
    await expect(page.getByRole('button', { name: /^Isolate east .*scheduler/ })).toBeVisible()
    await expect(page.getByRole('button', { name: /^Isolate west .*directory/ })).toBeVisible()
    await expectAccessible(page)
    await page.goto(`${appUrl()}/clusters`)
    await page.getByRole('row').getByRole('link', { name: 'west', exact: true }).click()
    const endpoint = page.getByRole('region', { name: 'Endpoint' })
    await endpoint.getByRole('button', { name: 'Test now' }).click()
    await expect(endpoint.getByRole('status')).toContainText(/It has \d+ scrape targets/)
    await expectAccessible(page)
  })

  test('the load generator counts what the scheduler shows, within 5 %', async () => {
    await expect.poll(noteLoad, { timeout: 120_000, intervals: [2_000] }).toBeGreaterThan(75)
    const { snapshot, workloads } = await api<Fleet>('/api/v1/fleet')
    const at = Date.parse(snapshot.at) / 1000
    const done = (when: number) => {
      const nearest = [...marks.keys()].reduce((a, b) => (Math.abs(b - when) < Math.abs(a - when) ? b : a))
      return { at: nearest, count: marks.get(nearest) ?? 0 }
    }
    const end = done(at)
    const start = done(at - snapshot.rateWindowSeconds)
    const counted = (end.count - start.count) / (end.at - start.at)
    const shown = workloads.find(({ id }) => id === X)?.now.requestsPerSecond ?? 0
    expect(Math.abs(shown - counted) / counted).toBeLessThan(0.05)
  })

  test('with the Prometheus of west stopped nothing blanks, and what is missing is named', async () => {
    await page.goto(`${appUrl()}/fleet`)
    const known = ['appointments', 'reminders', 'permissions', 'directory', 'pdf', 'mail']
    const everyRow = async () => {
      for (const name of known) {
        await expect(
          page
            .getByRole('row')
            .filter({ hasText: `campus/${name}` })
            .first(),
        ).toBeVisible()
      }
    }
    await everyRow()
    await prometheus('west', 'stop')
    await expect(pillsOn(page)).toContainText(/west\s*stale/)
    await expect(verdictOn(page)).toContainText(/west has not answered/, { timeout: 30_000 })
    await expect(verdictOn(page)).not.toContainText('because of campus')
    await everyRow()
    await page.goto(`${appUrl()}/d/${X}`)
    await expect(
      dependenciesOn(page)
        .getByRole('link', { name: /campus\/appointments/ })
        .first(),
    ).toBeVisible()
    await prometheus('west', 'start')
    await expect(verdictOn(page)).toContainText(NAMED, { timeout: 60_000 })
  })

  test('after "C without D" all is quiet within two minutes, and D shows no traffic', async ({ browser }) => {
    await turnTo('without')
    const since = Date.now()
    await page.goto(`${appUrl()}/fleet`)
    await expect(verdictOn(page)).toContainText('All quiet', { timeout: 120_000 })
    expect(Date.now() - since).toBeLessThan(120_000)
    const { page: screen, wall } = await openWall(browser, `${appUrl()}/wall`)
    await expect(wall.getByRole('heading', { name: 'All quiet' })).toBeVisible()
    await screen.close()
    const row = page.getByRole('row').filter({ hasText: 'campus/directory' })
    await expect(row).toContainText('no traffic')
    await expect(row).not.toContainText('100 %')
    const { workloads } = await api<Fleet>('/api/v1/fleet')
    expect(workloads.find(({ id }) => id === D)).toMatchObject({ truth: 'noTraffic', now: { successRatio: null } })
  })
})
