const KEY = 'goldseam.reloaded'
const AT_MOST_EVERY_MS = 10 * 60_000

/**
 * A part of the page that was not loaded yet can be gone after a deployment: then the page is loaded anew. Only when the
 * server answers, because a browser's error page cannot try again, and not in circles.
 */
export function reloadWhenReplaced(): void {
  addEventListener('vite:preloadError', (event) => {
    event.preventDefault()
    void reload()
  })
}

async function reload(): Promise<void> {
  try {
    const last = Number(sessionStorage.getItem(KEY) ?? 0)
    if (Date.now() - last < AT_MOST_EVERY_MS) return
    await reloadIfServed(() => sessionStorage.setItem(KEY, String(Date.now())))
  } catch {
    // The server is away, or storage is forbidden: what is on the screen stays.
  }
}

/** Loads the page anew where the server was just seen to have one: a browser's error page cannot try again. */
export async function reloadIfServed(before: () => void = () => undefined): Promise<void> {
  for (const path of ['/api/v1/build', '/']) {
    const answer = await fetch(path, { cache: 'no-store' })
    if (!answer.ok) return
  }
  before()
  location.reload()
}
