/** What a soak measured, as figures and a judgement. Pure. */

export const LIMITS = { heapMegabytesPerDay: 20, nodesPercent: 5, listenersPercent: 5, canvases: 1 }

/** A wall draws a frame each 10 s. */
const FRAMES_PER_DAY = 8_640
const MEGABYTE = 1_048_576
/** Caches and compiled code fill up first. */
const WARM_UP = 0.2
/** A count may differ by a few elements that come and go. */
const SLACK = 20

export function table({ seconds, frames, canvases, rows, picture, shell }) {
  const megabytes = (bytes) => (bytes / MEGABYTE).toFixed(2)
  return (
    `${seconds.toFixed(0).padStart(6)} s  frames ${frames}  rows ${rows}  ` +
    `picture ${megabytes(picture.heapBytes)} MB, ${picture.nodes} nodes, ${picture.listeners} listeners, ${canvases} canvas  ` +
    `shell ${megabytes(shell.heapBytes)} MB, ${shell.nodes} nodes, ${shell.listeners} listeners`
  )
}

export function judge(samples) {
  const warm = samples.filter((_, index) => index >= samples.length * WARM_UP)
  const failures = []
  const lines = []
  const frames = (warm.at(-1)?.frames ?? 0) - (warm[0]?.frames ?? 0)
  lines.push(`${warm.length} samples over ${frames} frames, after ${Math.floor(samples.length * WARM_UP)} to warm up`)
  if (!(frames > 0)) failures.push('no frames were drawn')
  for (const part of ['picture', 'shell']) {
    const { slope, error } = slopeWithin(
      warm.map((one) => ({ group: one.rows, x: one.frames, y: one[part].heapBytes })),
    )
    const perDay = (value) => (value * FRAMES_PER_DAY) / MEGABYTE
    lines.push(
      `${part}: heap ${slope.toFixed(1)} +- ${(2 * error).toFixed(1)} bytes a frame, ` +
        `${perDay(slope).toFixed(2)} +- ${perDay(2 * error).toFixed(2)} MB a day at a frame each 10 s`,
    )
    // Only growth that is there beyond doubt, and more than allowed.
    if (perDay(slope - 2 * error) > LIMITS.heapMegabytesPerDay) failures.push(`${part}: the heap grows`)
    for (const what of ['nodes', 'listeners']) {
      const grown = mostGrown(warm.map((one) => ({ group: one.rows, y: one[part][what] })))
      lines.push(`${part}: ${what} ${grown.first} at first, ${grown.last} at last (with ${grown.group} rows)`)
      if (grown.last > grown.first * (1 + LIMITS[`${what}Percent`] / 100) + SLACK)
        failures.push(`${part}: ${what} grow`)
    }
  }
  const canvases = Math.max(...samples.map((one) => one.canvases))
  lines.push(`picture: at most ${canvases} canvas`)
  if (canvases > LIMITS.canvases) failures.push('more canvases than one')
  return { lines, failures }
}

/** Least squares of y over x inside groups: a picture with more rows holds more, and that is no growth. */
function slopeWithin(points) {
  const groups = grouped(points)
  let xx = 0
  let xy = 0
  let yy = 0
  let free = -1
  for (const members of groups.values()) {
    const [x, y] = [mean(members.map((one) => one.x)), mean(members.map((one) => one.y))]
    free += members.length - 1
    for (const one of members) {
      xx += (one.x - x) ** 2
      xy += (one.x - x) * (one.y - y)
      yy += (one.y - y) ** 2
    }
  }
  if (!(xx > 0) || free < 1) return { slope: 0, error: 0 }
  const slope = xy / xx
  return { slope, error: Math.sqrt(Math.max(0, (yy - slope * xy) / free / xx)) }
}

/** Of the groups that were met early and late, the one that grew most: medians of their first and last third. */
function mostGrown(points) {
  const compared = [...grouped(points)].flatMap(([group, members]) => {
    const third = Math.floor(members.length / 3)
    if (third < 2) return []
    const first = median(members.slice(0, third).map(({ y }) => y))
    return [{ group, first, last: median(members.slice(-third).map(({ y }) => y)) }]
  })
  return compared.sort((a, b) => b.last - b.first - (a.last - a.first))[0] ?? { group: 0, first: 0, last: 0 }
}

function grouped(points) {
  const groups = new Map()
  for (const point of points) groups.set(point.group, [...(groups.get(point.group) ?? []), point])
  return groups
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
