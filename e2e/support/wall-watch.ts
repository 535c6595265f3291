import type { Page } from '@playwright/test'

/**
 * Looks at a wall all the time, from inside its shell: what must never stand there is collected with the time.
 * A wall shows a picture, or a cover that says why not; it stays on its own address.
 */
export function watchWall(page: Page): { readonly faults: readonly string[]; end(): void } {
  const faults: string[] = []
  let ended = false
  page.on('framenavigated', (frame) => {
    const url = frame.url()
    if (url.startsWith('chrome-error:') || (frame === page.mainFrame() && !new URL(url).pathname.startsWith('/wall')))
      faults.push(`went to ${url}`)
  })
  page.on('crash', () => faults.push('the shell crashed'))
  const look = async () => {
    while (!ended) {
      const seen = await page
        .evaluate(() => ({
          pictures: document.querySelectorAll('.wall-shell iframe').length,
          covered: [...document.querySelectorAll<HTMLElement>('.cover')].some(
            (cover) => !cover.hidden && cover.innerText !== '',
          ),
          passwords: document.querySelectorAll('input').length,
        }))
        .catch(() => null)
      if (seen !== null && seen.pictures === 0 && !seen.covered) faults.push('blank')
      if (seen !== null && seen.passwords > 0) faults.push('a form')
      await new Promise((resolve) => setTimeout(resolve, 250))
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
