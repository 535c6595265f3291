/**
 * What a visitor of the composed demo must find, over HTTP: `node deploy/compose/journey.mjs`, with GOLDSEAM_URL and
 * COMPOSE (the command, `docker compose`) in the environment. Prints a line per step; ends with 1 at the first that fails.
 */
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

const url = process.env.GOLDSEAM_URL ?? 'http://127.0.0.1:8700'
const [program = 'docker', ...before] = (process.env.COMPOSE ?? 'docker compose').split(' ')
const X = 'east/clinic/scheduler'
const D = 'west/campus/directory'

// Neither an idle connection nor such a signal keeps Node running.
const running = setInterval(() => undefined, 1_000)
const compose = (...args) => execFileSync(program, [...before, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim()

/** A connection that is taken and dropped before the server listens must not be waited for for ever. */
const ask = (path) => fetch(`${url}${path}`, { signal: AbortSignal.timeout(10_000) })

async function get(path) {
  const response = await ask(path)
  if (!response.ok) throw new Error(`${path} answers with ${response.status}`)
  return response.json()
}

/** The control page is not published: it is asked from inside its container. */
function turnTo(phase) {
  const script = `fetch('http://127.0.0.1:8701/phase', { method: 'POST', headers: { 'content-type': 'application/json' },
    body: '${JSON.stringify({ phase })}' }).then(({ ok }) => process.exit(ok ? 0 : 1))`
  compose('exec', '-T', 'clusters', 'node', '-e', script)
}

function must(holds, what) {
  if (!holds) throw new Error(what)
}

/** Tries until `check` no longer throws; `what` is the sentence that then holds. */
async function step(what, limitSeconds, check) {
  const startedAt = performance.now()
  for (;;) {
    try {
      const more = await check()
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
      console.log(`ok   ${what}${more === undefined ? '' : `: ${more}`} (after ${seconds} s)`)
      return
    } catch (error) {
      if (performance.now() - startedAt > limitSeconds * 1_000) {
        console.log(`FAIL ${what}: ${error.message}`)
        process.exit(1)
      }
      await sleep(1_000)
    }
  }
}

await step('Goldseam is ready', 300, async () => {
  must((await ask('/readyz')).ok, 'it is not')
  must(/<div id="root">/.test(await (await ask('/')).text()), 'there is no page')
})

await step('east is read directly, west through Thanos, and both answer', 60, async () => {
  const { clusters } = await get('/api/v1/clusters')
  const found = clusters.map(({ name, state, endpoints }) => `${name} ${state} ${endpoints.map((one) => one.url)}`)
  const wanted = ['east ok http://prometheus-east:9090', 'west ok http://thanos-query:10902']
  must(found.sort().join() === wanted.join(), found.join('; '))
  return found.join(', ')
})

await step('in calm nobody is named, and there are usual values already', 120, async () => {
  const { verdict, workloads, gaps } = await get('/api/v1/fleet')
  must(verdict.form === 'quiet', verdict.text)
  must(gaps.length === 0, JSON.stringify(gaps))
  for (const id of [X, D]) {
    const usual = workloads.find((workload) => workload.id === id)?.usual
    must(usual?.requestsPerSecond > 0 && usual.latencySeconds.p99 > 0, `no usual values of ${id}`)
  }
  return verdict.text
})

await step('the call from east to west is one edge, seen from both ends', 30, async () => {
  const { edges } = await get('/api/v1/topology')
  const seam = edges.find((edge) => edge.seam && edge.from === X && edge.caller !== null && edge.callee !== null)
  must(seam !== undefined, 'no seam')
  return `${seam.from} > ${seam.to}, ${seam.confidence}`
})

turnTo('ramp')
await step('under load the suspect is named across clusters', 150, async () => {
  const { verdict, suspects } = await get(`/api/v1/suspects?focus=${X}`)
  must(suspects[0]?.id === D, `${verdict.text}; suspects: ${suspects.map(({ id }) => id)}`)
  must(suspects[0].path[0] === X, `its path is ${suspects[0].path}`)
  return verdict.text
})

compose('stop', 'thanos-query')
await step('without Thanos west is a gap, and east goes on', 60, async () => {
  const { clusters, gaps } = await get('/api/v1/fleet')
  const [east, west] = ['east', 'west'].map((name) => clusters.find((cluster) => cluster.name === name))
  must(east.state === 'ok' && west.state !== 'ok', `east ${east.state}, west ${west.state}`)
  must(
    gaps.some(({ cluster }) => cluster === 'west'),
    'no gap',
  )
  return `west ${west.state}, ${gaps.find(({ cluster }) => cluster === 'west').why}`
})

compose('start', 'thanos-query')
await step('and is back with it', 120, async () => {
  const { clusters } = await get('/api/v1/fleet')
  for (const { name, state } of clusters) must(state === 'ok', `${name} is ${state}`)
})

turnTo('calm')
await step('once the crowd is gone, nobody is named any more', 240, async () => {
  const { verdict } = await get('/api/v1/fleet')
  must(verdict.form === 'quiet', verdict.text)
  return verdict.text
})
clearInterval(running)
