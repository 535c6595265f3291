import type { Frame, Page } from '@playwright/test'

const LOOK_EVERY_MS = 250
/** Refreshes come each two seconds here; a picture without a new one for this long must not call itself fresh. */
const FROZEN_AFTER_MS = 20_000

/**
 * Looks at a wall all the time: what must never stand there is collected. A wall shows a picture, or a cover that says
 * why not; it stays on its own address; what is old says so; and who is in trouble is spelled out or counted.
 */
export function watchWall(page: Page): { readonly faults: readonly string[]; end(): void } {
  const faults: string[] = []
  let ended = false
  const newest = new Map<Frame, { seq: string; atMs: number }>()
  page.on('framenavigated', (frame) => {
    const url = frame.url()
    if (url.startsWith('chrome-error:') || (frame === page.mainFrame() && !new URL(url).pathname.startsWith('/wall')))
      faults.push(`went to ${url}`)
  })
  page.on('crash', () => faults.push('the shell crashed'))
  const look = async () => {
    while (!ended) {
      const shell = await page.evaluate(readShell).catch(() => null)
      if (shell !== null && shell.pictures === 0 && !shell.covered) faults.push('blank')
      if (shell !== null && shell.inputs > 0) faults.push('a form')
      for (const frame of page.frames().filter((one) => one.url().includes('/wall/app'))) {
        // A picture that hangs does not answer; the shell covers it.
        const seen = await Promise.race([frame.evaluate(readPicture).catch(() => null), pause(1_000).then(() => null)])
        if (seen === null) continue
        faults.push(...seen.faults)
        const known = newest.get(frame)
        if (known?.seq !== seen.seq) newest.set(frame, { seq: seen.seq, atMs: performance.now() })
        else if (seen.fresh && performance.now() - known.atMs > FROZEN_AFTER_MS)
          faults.push('a frozen picture looks live')
      }
      await pause(LOOK_EVERY_MS)
    }
  }
  void look()
  return {
    faults,
    end() {
      ended = true
    },
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function readShell() {
  const covers = [...document.querySelectorAll<HTMLElement>('.cover')]
  return {
    pictures: document.querySelectorAll('.wall-shell iframe').length,
    covered: covers.some((cover) => !cover.hidden && cover.innerText !== ''),
    inputs: document.querySelectorAll('input').length,
  }
}

/** One look, between two of React's changes. Null before there is anything. */
function readPicture() {
  const wall = document.querySelector<HTMLElement>('.wall')
  const hero = wall?.querySelector<HTMLElement>('.hero')
  if (!wall || !hero) return null
  const faults: string[] = []
  if (hero.innerText.trim() === '') faults.push('nothing in the place of honour')
  if (wall.querySelector('input') !== null) faults.push('a form in the picture')
  const texts = (selector: string) => [...wall.querySelectorAll<HTMLElement>(selector)].map((one) => one.innerText)
  const bad = texts('.wall-header .wall-bad').reduce((sum, text) => sum + Number(text.trim()), 0)
  const rows = [...wall.querySelectorAll<HTMLElement>('.rail-row:not(.rail-more)')]
  const ids = rows.filter((row) => row.querySelector('.rail-recovering') === null).map((row) => row.dataset.id)
  const subject = wall.dataset.subject ?? ''
  const alone = subject.split('/').length === 3 && !subject.includes('~') && !ids.includes(subject) ? 1 : 0
  const counted = [
    ...texts('.rail-more')
      .join(' ')
      .matchAll(/(\d+) (?:victim|other|more)/g),
  ]
  const told = ids.length + alone + counted.reduce((sum, [, count]) => sum + Number(count), 0)
  const { freshness, seq = '' } = wall.dataset
  if (freshness === 'fresh' && bad > told)
    faults.push(`${bad} in trouble, ${told} of them told: ${texts('.rail').join(' ')}`)
  return { seq, fresh: freshness === 'fresh', faults }
}
