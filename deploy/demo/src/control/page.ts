/** The control page. Everything it shows comes from GET /state, once per second. */
const HTML = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Goldseam demo: control</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/control.css">
<main>
  <header>
    <h1 id="title">Goldseam demo</h1>
    <p id="scale" class="quiet"></p>
    <nav id="links" aria-label="Pages"></nav>
  </header>
  <section aria-label="Phase">
    <h2>Phase <span id="left" class="quiet"></span></h2>
    <div id="phases"></div>
    <p><button id="timer" type="button"></button></p>
  </section>
  <section aria-label="Load">
    <h2>Load <span class="quiet">as the load generator itself measures it, last <span id="window"></span> s</span></h2>
    <dl id="load"></dl>
  </section>
  <section aria-label="Cast">
    <h2>Who is who <span id="culprit" class="quiet"></span></h2>
    <dl id="cast" class="rows"></dl>
  </section>
  <section aria-label="Prometheus">
    <h2>Prometheus <span class="quiet">stop one to see what a dead cluster looks like</span></h2>
    <div id="prometheus"></div>
  </section>
  <p id="error" role="alert"></p>
</main>
<script src="/control.js"></script>
</html>
`

const CSS = `:root { color-scheme: light dark; --ink: #1c1b18; --paper: #faf8f3; --card: #fff; --line: #ddd8cb; --quiet: #6b665a; --gold: #9a6b00; --gold-soft: #f6ead0; }
@media (prefers-color-scheme: dark) { :root { --ink: #ece8de; --paper: #171613; --card: #201f1b; --line: #3a372f; --quiet: #a49d8c; --gold: #e3b04b; --gold-soft: #3a2f17; } }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.05rem; margin: 0 0 .75rem; }
.quiet { color: var(--quiet); font-weight: 400; font-size: .9rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.25rem; margin-top: 1rem; }
nav a { margin-right: 1.25rem; } a { color: var(--gold); }
button { font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .4rem; padding: .35rem .8rem; cursor: pointer; }
button:hover { border-color: var(--gold); } button:focus-visible, a:focus-visible { outline: 2px solid var(--gold); outline-offset: 2px; }
#phases { display: grid; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)); gap: .75rem; }
#phases button { text-align: left; padding: .75rem; display: flex; flex-direction: column; gap: .25rem; }
#phases button[aria-current=true] { border-color: var(--gold); background: var(--gold-soft); }
#phases small { color: var(--quiet); } #phases button[aria-current=true] small { color: inherit; }
dl { margin: 0; } #load { display: flex; flex-wrap: wrap; gap: .75rem 2rem; } dt { color: var(--quiet); font-size: .85rem; } dd { margin: 0; }
#load dd { font-size: 1.5rem; font-variant-numeric: tabular-nums; }
.rows { display: grid; grid-template-columns: 2rem 1fr; gap: .25rem .5rem; } .rows dt { font-weight: 700; color: var(--gold); font-size: 1rem; }
#prometheus button { margin: 0 .75rem .25rem 0; } #error { color: #b3261e; } #error:empty { display: none; }
@media (prefers-color-scheme: dark) { #error { color: #ff9a90; } }
`

const SCRIPT = `'use strict'
const at = (id) => document.getElementById(id)
const element = (tag, text, set = {}) => Object.assign(document.createElement(tag), { textContent: text }, set)
const ms = (seconds) => seconds === null ? 'none' : seconds < 1 ? Math.round(seconds * 1000) + ' ms' : seconds.toFixed(2) + ' s'
const post = async (path, body) => {
  const answer = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const json = await answer.json()
  if (answer.ok) show(json)
  else at('error').textContent = json.error
}
const keep = {}
const fill = (id, key, nodes) => { if (keep[id] === key) return; keep[id] = key; at(id).replaceChildren(...nodes()) }
const rows = (pairs) => pairs.flatMap(([name, value]) => [element('dt', name), element('dd', value)])
function show(state) {
  at('error').textContent = ''
  at('title').textContent = state.title
  at('scale').textContent = state.scale
  at('culprit').textContent = 'slow in this run: ' + state.culprit
  at('left').textContent = state.timer.secondsLeft === null ? 'round ' + state.loop + ', timer off' : 'round ' + state.loop + ', ' + Math.ceil(state.timer.secondsLeft) + ' s left'
  fill('links', JSON.stringify(state.urls), () => [['Goldseam', state.urls.goldseam], ...Object.entries(state.urls.prometheus).map(([name, url]) => ['Prometheus ' + name, url])].filter(([, href]) => href).map(([text, href]) => element('a', text, { href, target: '_blank', rel: 'noreferrer' })))
  fill('phases', state.phase + state.loop, () => state.phases.map((phase) => {
    const button = element('button', '', { type: 'button', onclick: () => post('/phase', { phase: phase.name }) })
    button.setAttribute('aria-current', String(phase.name === state.phase))
    button.append(element('strong', phase.title), element('small', phase.durationSeconds + ' s'), element('span', phase.text))
    return button
  }))
  at('timer').textContent = state.timer.on ? 'Stop the timer: stay in this phase' : 'Start the timer: go through the phases'
  at('timer').onclick = () => post('/timer', { on: !state.timer.on })
  const load = state.load.recent
  at('window').textContent = load.windowSeconds
  fill('load', JSON.stringify([state.users, load]), () => [['users', state.users], ['requests/s', load.requestsPerSecond.toFixed(1)], ['failed/s', load.failedPerSecond.toFixed(1)], ['p50', ms(load.p50Seconds)], ['p95', ms(load.p95Seconds)], ['p99', ms(load.p99Seconds)]].map(([name, value]) => { const box = element('div', ''); box.append(...rows([[name, value]])); return box }))
  fill('cast', state.scenario, () => rows(state.cast.map(({ letter, service, text }) => [letter, service + ': ' + text])))
  fill('prometheus', JSON.stringify(state.prometheus), () => Object.entries(state.prometheus).map(([cluster, { pid }]) => element('button', (pid ? 'Stop ' : 'Start ') + cluster, { type: 'button', onclick: () => post('/prometheus', { cluster, action: pid ? 'stop' : 'start' }) })))
}
async function refresh() {
  try { show(await (await fetch('/state')).json()) } catch { at('error').textContent = 'The demo does not answer. Has it been stopped?' }
  setTimeout(refresh, 1000)
}
refresh()
`

export const ASSETS: ReadonlyMap<string, { contentType: string; body: string }> = new Map([
  ['/', { contentType: 'text/html; charset=utf-8', body: HTML }],
  ['/control.css', { contentType: 'text/css; charset=utf-8', body: CSS }],
  ['/control.js', { contentType: 'text/javascript; charset=utf-8', body: SCRIPT }],
])
