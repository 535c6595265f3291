/**
 * Measures what the pages cost a browser: `npm run bench:web`. Writes its tables into e2e/perf/README.md. `--only PART`
 * (bytes, loads or the name of one page, large, calls, charts; several with commas) measures that and writes nothing;
 * `--only huge`, of 10 000 workloads, is measured only by its name.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ROOT } from '../../scripts/paths.mjs'
import { withBrowser } from '../support/with-browser.mjs'
import { bytesTable } from './bytes.mjs'
import { nowOf, seenSince, watchPage } from './watch.mjs'

const RUNS = 3
const SLOW = 4
const REFRESHES = 4

const SCREENS = [
  { name: 'fleet', path: '/fleet', shown: 'tbody tr[data-row]' },
  { name: 'workload', path: '/d/east/shop/storefront', shown: '.time-plot' },
  { name: 'map', path: '/map', shown: '.map-card' },
  { name: 'triage', path: '/triage', shown: '.suspect' },
  { name: 'compare', path: '/compare?a=east&b=west', shown: 'tbody tr' },
  { name: 'explore', path: '/explore?e1=up', shown: 'tbody tr' },
  { name: 'clusters', path: '/clusters', shown: 'tbody tr' },
]

const [flag, list = ''] = process.argv.slice(2)
const ONLY = flag === '--only' ? list.split(',') : []
const asked = (part) => ONLY.length === 0 || ONLY.includes(part)

const ms = (value) => (value === 0 ? '-' : `${Math.round(value)} ms`)
const kb = (value) => `${(value / 1000).toFixed(1)} kB`
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

await withBrowser(
  async (load) => (await load('/support/fixture-web.ts')).startFixtureWeb('incident'),
  async (browser, { url }) => {
    const open = openerOf(browser, url)
    const screens = SCREENS.filter(({ name }) => asked('loads') || asked(name))
    const work = {
      ...(asked('large') && (await largeFleet(open, url, 2_000))),
      ...(ONLY.includes('huge') && { huge: await largeFleet(open, url, 10_000) }),
      ...(asked('calls') && { map: await largeMap(open, url) }),
      ...(asked('charts') && {
        workload: await workloadAfterData(open, url, 1),
        slowWorkload: await workloadAfterData(open, url, SLOW),
      }),
    }
    const parts = [
      ...(asked('bytes') ? [bytesText(bytesTable(), await payload(url))] : []),
      ...(screens.length > 0 ? [loadsText(await loads(open, screens))] : []),
      ...(Object.keys(work).length > 0 ? [largeText(work)] : []),
    ]
    const about = `${cpus().length} x ${cpus()[0]?.model.trim()}, Node ${process.versions.node}, Chromium ${browser.version()}, ${new Date().toISOString().slice(0, 10)}`
    const text = `${about}\n\n${parts.join('\n\n')}`
    if (ONLY.length === 0) write(text)
    process.stdout.write(`${text}\n`)
  },
)

/** A page in a browser of its own, nothing cached, whose processor is slowed down `slow` times. */
function openerOf(browser, url) {
  return async (slow, work) => {
    const context = await browser.newContext({ viewport: { width: 1366, height: 768 }, baseURL: url })
    const page = await context.newPage()
    // A slow machine, slowed down further: late is a figure, too.
    page.setDefaultTimeout(120_000)
    await page.addInitScript(watchPage)
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slow })
    try {
      return await work(page)
    } finally {
      await context.close()
    }
  }
}

async function loads(open, screens) {
  const rows = []
  for (const { name, path, shown } of screens) {
    for (const slow of [1, SLOW]) {
      const runs = []
      for (let run = 0; run < RUNS; run += 1) {
        runs.push(
          await open(slow, async (page) => {
            await page.goto(path)
            await page.locator(shown).first().waitFor()
            const shownMs = await nowOf(page)
            // The largest paint and late shifts are told when the page is at rest.
            await page.evaluate(() => new Promise((done) => requestIdleCallback(done, { timeout: 3_000 })))
            return { ...(await seenSince(page)), shownMs }
          }),
        )
      }
      rows.push({ name, slow, ...median(runs) })
    }
  }
  return rows
}

async function largeFleet(open, url, count) {
  await fetch(`${url}/scene/large-${count}`)
  return open(SLOW, async (page) => {
    await page.goto('/fleet')
    await page.locator('tbody tr[data-row]').nth(10).waitFor()
    await page.waitForTimeout(4_000)
    const refreshFrom = await nowOf(page)
    for (let refresh = 0; refresh < REFRESHES; refresh += 1) await page.waitForResponse(/\/api\/v1\/fleet/)
    await page.waitForTimeout(1_500)
    const refresh = await seenSince(page, refreshFrom)
    await page.mouse.move(600, 500)
    const scrollFrom = await nowOf(page)
    for (let step = 0; step < 40; step += 1) {
      await page.mouse.wheel(0, 600)
      await page.waitForTimeout(60)
    }
    const scroll = await seenSince(page, scrollFrom)
    const useFrom = await nowOf(page)
    await page.mouse.wheel(0, -40_000)
    await page.getByRole('button', { name: 'p99', exact: true }).click()
    await page.keyboard.press('/')
    await page.keyboard.type('service-1', { delay: 120 })
    await page.keyboard.press('Escape')
    await page.waitForTimeout(1_500)
    const use = await seenSince(page, useFrom)
    const session = await page.context().newCDPSession(page)
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    return { refresh, scroll, use, heapBytes: usedSize }
  })
}

async function largeMap(open, url) {
  await fetch(`${url}/scene/calls`)
  const runs = []
  for (let run = 0; run < RUNS; run += 1) {
    runs.push(
      await open(1, async (page) => {
        await page.goto('/map?show=all')
        await page.locator('.map-card').nth(299).waitFor()
        const drawnMs = await nowOf(page)
        const [answered, cards, lines] = await page.evaluate(() => [
          Math.max(
            ...performance
              .getEntriesByType('resource')
              .filter(({ name }) => name.includes('/api/v1/'))
              .map(({ responseEnd }) => responseEnd),
          ),
          document.querySelectorAll('.map-card').length,
          document.querySelectorAll('.map-line').length,
        ])
        return { ...(await seenSince(page, answered)), afterDataMs: drawnMs - answered, cards, lines }
      }),
    )
  }
  return median(runs)
}

async function workloadAfterData(open, url, slow) {
  await fetch(`${url}/scene/incident`)
  const runs = []
  for (let run = 0; run < RUNS; run += 1) {
    runs.push(
      await open(slow, async (page) => {
        await page.goto('/d/east/shop/storefront')
        await page.locator('.time-plot').nth(3).waitFor()
        const drawnMs = await nowOf(page)
        await page.keyboard.press('Tab')
        // What comes after the charts may hold up its user, too.
        await page.getByRole('heading', { name: 'As its proxies tell it' }).waitFor()
        await page.evaluate(() => new Promise((done) => requestIdleCallback(done, { timeout: 3_000 })))
        const answered = await page.evaluate(() =>
          Math.max(
            ...performance
              .getEntriesByType('resource')
              .filter(({ name }) => name.endsWith('/api/v1/workloads/east/shop/storefront'))
              .map(({ responseEnd }) => responseEnd),
          ),
        )
        return { ...(await seenSince(page, answered)), afterDataMs: drawnMs - answered }
      }),
    )
  }
  return median(runs)
}

async function payload(url) {
  await fetch(`${url}/scene/large`)
  const bytes = gzipSync(Buffer.from(await (await fetch(`${url}/api/v1/fleet?as=table`)).arrayBuffer())).length
  await fetch(`${url}/scene/incident`)
  return bytes
}

function median(runs) {
  const middle = (key) => runs.map((run) => run[key]).sort((a, b) => a - b)[Math.floor(runs.length / 2)]
  return Object.fromEntries(Object.keys(runs[0]).map((key) => [key, middle(key)]))
}

function bytesText(rows, fleetBytes) {
  const said = rows.map(([what, bytes, most]) => [what, kb(bytes), kb(most), bytes <= most ? 'yes' : '**no**'])
  return table(
    ['downloaded, compressed', 'bytes', 'at most', 'holds'],
    [...said, ['answer for the fleet, 2 000 workloads with 60 points each', kb(fleetBytes), '', '']],
  )
}

function loadsText(rows) {
  return table(
    ['page, first visit', 'processor', 'shown', 'largest paint', 'layout shift', 'longest task'],
    rows.map(({ name, slow, shownMs, lcpMs, cls, longestTaskMs }) => [
      name,
      slow === 1 ? 'full' : `1/${slow}`,
      ms(shownMs),
      ms(lcpMs),
      cls.toFixed(3),
      ms(longestTaskMs),
    ]),
  )
}

function largeText({ refresh, scroll, use, huge, map, workload, slowWorkload }) {
  const slowly = `1/${SLOW}`
  return table(
    ['at work', 'processor', 'measured', 'at most'],
    [
      refresh && ['2 000 workloads: longest task of 4 refreshes', slowly, ms(refresh.longestTaskMs), '100 ms'],
      scroll && ['2 000 workloads: longest task while scrolling 24 000 px', slowly, ms(scroll.longestTaskMs), '100 ms'],
      use && ['2 000 workloads: slowest of sorting and typing', slowly, ms(use.slowestInteractionMs), '200 ms'],
      huge && ['10 000 workloads: longest task of 4 refreshes', slowly, ms(huge.refresh.longestTaskMs), '-'],
      huge && ['the same: longest task while scrolling 24 000 px', slowly, ms(huge.scroll.longestTaskMs), '-'],
      huge && ['the same: slowest of sorting and typing', slowly, ms(huge.use.slowestInteractionMs), '200 ms'],
      huge && ['the same: memory of the page', slowly, `${Math.round(huge.heapBytes / 1e6)} MB`, '-'],
      map && [
        `map of ${map.cards} workloads and ${map.lines} calls: drawn after its data`,
        'full',
        ms(map.afterDataMs),
        '1 000 ms',
      ],
      map && ['the same: longest task', 'full', ms(map.longestTaskMs), '-'],
      ...chartRows(workload, 'full'),
      ...chartRows(slowWorkload, slowly),
    ].filter(Boolean),
  )
}

function chartRows(workload, processor) {
  if (workload === undefined) return []
  return [
    ['workload with its four charts: all drawn after its data', processor, ms(workload.afterDataMs), '1 000 ms'],
    ['the same: longest task until the page is whole', processor, ms(workload.longestTaskMs), '200 ms'],
  ]
}

function write(text) {
  const path = join(ROOT, 'e2e/perf/README.md')
  const [before, after] = readFileSync(path, 'utf8').split(/<!-- figures -->[\s\S]*<!-- end -->/)
  writeFileSync(path, `${before}<!-- figures -->\n\n${text}\n\n<!-- end -->${after}`)
}
