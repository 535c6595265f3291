/** Runs in the page before anything else: collects what the browser itself measures. */
export function watchPage() {
  const seen = { lcpMs: 0, cls: 0, tasks: [], events: [] }
  globalThis.goldseamSeen = seen
  const watch = (type, take, options = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options })
  watch('largest-contentful-paint', ({ startTime }) => {
    seen.lcpMs = startTime
  })
  watch('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) seen.cls += value
  })
  watch('longtask', ({ startTime, duration }) => seen.tasks.push({ startTime, duration }))
  watch(
    'event',
    ({ name, startTime, duration, interactionId }) => {
      if (interactionId) seen.events.push({ name, startTime, duration })
    },
    { durationThreshold: 16 },
  )
}

/** What was seen since `fromMs` of the page's own clock. */
export async function seenSince(page, fromMs = 0) {
  const { lcpMs, cls, tasks, events } = await page.evaluate(() => globalThis.goldseamSeen)
  const since = ({ startTime }) => startTime >= fromMs
  return {
    lcpMs,
    cls,
    /** Tasks under 50 ms are not reported by browsers; 0 says there was none longer. */
    longestTaskMs: Math.max(0, ...tasks.filter(since).map(({ duration }) => duration)),
    longTasks: tasks.filter(since).length,
    /** The slowest interaction; under 16 ms none is reported. */
    slowestInteractionMs: Math.max(0, ...events.filter(since).map(({ duration }) => duration)),
  }
}

export const nowOf = (page) => page.evaluate(() => performance.now())
