import type { Link } from '../wall-link/messages.ts'
import { Cover, STYLES } from './cover.ts'
import { plannedMinute } from './health.ts'
import { Pairing } from './pairing.ts'
import type { Picture } from './picture.ts'
import { Stage } from './stage.ts'
import { keepStream, pause } from './stream.ts'
import { keepToken, readToken } from './token.ts'
import { VersionWatch } from './version.ts'
import { keepAwake } from './wake-lock.ts'

const TICK_MS = 1_000
const PING_EVERY_TICKS = 5
const BUILD_EVERY_TICKS = 5
const TOKEN_AGAIN_MS = 20_000
const DAY_MS = 20 * 3_600_000
const SHELL_SCRIPT = /\/assets\/wall-shell-[\w-]+\.js/

declare global {
  interface Window {
    /** Set by a shell that gives way to a newer one: ends the older. */
    goldseamHandover?: () => void
  }
}

start()

/** Watches over the picture: brings it data, sees that it lives, and loads it anew. Never goes to another address. */
function start(): void {
  const before = window.goldseamHandover
  delete window.goldseamHandover
  const style = new CSSStyleSheet()
  style.replaceSync(STYLES)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, style]
  const host = document.createElement('div')
  host.className = 'wall-shell'
  const cover = new Cover()
  // The shell that this one follows shows its picture until this one has its own.
  let hasBefore = before !== undefined
  cover.element.hidden = hasBefore
  host.append(cover.element)
  document.body.append(host)

  const ending = new AbortController()
  const version = new VersionWatch()
  let token = readToken()
  let link: Link = { state: 'opening' }
  let last: { seq: number; json: string; atMs: number } | null = null
  let awake = true
  let why = 'loading'
  let ticks = 0
  let shownAtMs = performance.now()
  const minute = plannedMinute()

  const stage = new Stage(host, {
    onReady(picture) {
      tellAll(picture)
      // With nothing to show yet, what it says about the link is the picture.
    },
    onShown(build) {
      version.shows(build)
      shownAtMs = performance.now()
      cover.hide()
      hasBefore = false
      before?.()
    },
    onPainted() {
      cover.hide()
    },
  })

  const tellAll = (picture: Picture) => {
    picture.post({ kind: 'wake', held: awake })
    if (last !== null)
      picture.post({ kind: 'frame', seq: last.seq, json: last.json, ageMs: performance.now() - last.atMs })
    // After the frame, which makes the picture take the link for a live one.
    picture.post({ kind: 'link', link })
  }
  const tellLink = (next: Link) => {
    link = next
    for (const picture of stage.pictures) picture.post({ kind: 'link', link })
  }
  const pairing = new Pairing(
    (code, reason) => tellLink({ state: 'unpaired', code, why: reason }),
    (given) => {
      token = given
      keepToken(given)
    },
  )
  void keepStream(
    () => token,
    {
      onFrame(json) {
        pairing.end()
        last = { seq: (last?.seq ?? 0) + 1, json, atMs: performance.now() }
        for (const picture of stage.pictures) picture.post({ kind: 'frame', seq: last.seq, json, ageMs: 0 })
      },
      onLink(next) {
        if (next.state !== link.state || next.state !== 'live') tellLink(next)
      },
      onBuild: (build) => version.note(build, performance.now()),
      async onUnpaired(reason, signal) {
        const given = pairing.wanted(reason, signal)
        // A token that is refused may hold again in a moment, as after a store of tokens that could not be read.
        await (token === null ? given : Promise.race([given, pause(TOKEN_AGAIN_MS, signal)]))
      },
    },
    ending.signal,
  )
  const release = keepAwake((held) => {
    awake = held
    for (const picture of stage.pictures) picture.post({ kind: 'wake', held })
  })

  const isPlanned = (nowMs: number) => {
    if (nowMs - shownAtMs < DAY_MS) return false
    const now = new Date()
    return now.getHours() * 60 + now.getMinutes() === minute
  }
  const tick = () => {
    ticks += 1
    const nowMs = performance.now()
    stage.tick(nowMs)
    const { current } = stage
    if (ticks % BUILD_EVERY_TICKS === 0) void askBuild((build) => version.note(build, performance.now()))
    if (document.visibilityState !== 'visible') return current?.forgive()
    if (current !== null && ticks % PING_EVERY_TICKS === 0) current.post({ kind: 'ping', count: ticks })
    const judgement = current?.judge(nowMs) ?? 'dead'
    if (judgement === 'dead') {
      if (current !== null) {
        why = 'the picture stopped and is loaded again'
        stage.drop()
      }
      const age = last === null ? 'no data yet' : `last data ${Math.round((nowMs - last.atMs) / 1_000)} s ago`
      if (!hasBefore) cover.show(last === null ? 'Starting' : 'NO PICTURE', age, link.state === 'lost' ? link.why : why)
    }
    if (version.isDue(nowMs)) void renewShell()
    if (judgement !== 'fine' || version.isDue(nowMs) || isPlanned(nowMs)) void stage.renew(nowMs)
  }
  // The frame hears the mouse over it; keys go to this page until somebody clicks.
  const touch = () => stage.current?.post({ kind: 'touch' })
  addEventListener('keydown', touch)
  const timer = setInterval(tick, TICK_MS)
  const dispose = () => {
    clearInterval(timer)
    removeEventListener('keydown', touch)
    ending.abort()
    release()
    stage.dispose()
    host.remove()
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== style)
  }

  let renewing = false
  /** A newer shell starts beside this one, and ends it when its picture stands. */
  const renewShell = async () => {
    if (renewing) return
    renewing = true
    try {
      const page = await fetch('/wall', { cache: 'no-store', signal: AbortSignal.timeout(10_000) })
      const script = page.ok ? SHELL_SCRIPT.exec(await page.text())?.[0] : undefined
      if (script === undefined || new URL(import.meta.url).pathname === script) return
      window.goldseamHandover = dispose
      await import(/* @vite-ignore */ script)
    } catch {
      // The old shell goes on, with the new picture.
      delete window.goldseamHandover
    } finally {
      renewing = false
    }
  }
  tick()
}

async function askBuild(tell: (build: string) => void): Promise<void> {
  try {
    const answer = await fetch('/api/v1/build', { cache: 'no-store', signal: AbortSignal.timeout(10_000) })
    if (answer.ok) tell(String((await answer.json()).build))
  } catch {
    // The stream says that the server is away.
  }
}
