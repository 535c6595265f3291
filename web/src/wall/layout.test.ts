import { describe, expect, test } from 'vitest'
import { cellAt, layoutOf, type Room } from './layout.ts'
import { unitPx } from './size.ts'

const SCREENS = { '1080p': [1_920, 1_080], '4K': [3_840, 2_160], portrait: [1_080, 1_920] } as const
const CLUSTERS = [1, 2, 10, 50]
const WORKLOADS = [3, 40, 200, 1_000, 5_000]

function roomOf([width, height]: readonly [number, number], inch = 55, distanceMetres = 4): Room {
  const unit = unitPx({ inch, distanceMetres, width, height }, 0.729)
  const inset = 2 * 0.025 * height
  return { width: width - inset, height: height - inset, unit }
}

function fleet(clusters: number, workloads: number) {
  return Array.from({ length: clusters }, (_, index) => ({
    name: `cluster-${index}`,
    // The first has what does not divide.
    count: Math.floor(workloads / clusters) + (index === 0 ? workloads % clusters : 0),
  }))
}

describe.each(Object.entries(SCREENS))('%s', (_name, size) => {
  const room = roomOf(size)
  test.each(CLUSTERS.flatMap((clusters) => WORKLOADS.map((workloads) => ({ clusters, workloads }))))(
    '$clusters clusters with $workloads workloads: each has a cell of its own, inside the picture',
    ({ clusters, workloads }) => {
      const sizes = fleet(clusters, workloads)
      const layout = layoutOf(room, sizes, null)
      const { header, hero, railLines, row, grid, footer } = layout
      expect(grid.y).toBeGreaterThanOrEqual(header + hero + railLines * row)
      expect(grid.y + grid.height + footer).toBeLessThanOrEqual(room.height + 1e-6)
      expect(railLines).toBeGreaterThanOrEqual(3)
      let cells = 0
      let outside = 0
      for (const { bands, pitch } of layout.pages) {
        expect(pitch).toBeGreaterThanOrEqual(7)
        const taken = new Set<string>()
        for (const band of bands) {
          const count = sizes.find(({ name }) => name === band.cluster)?.count ?? 0
          for (let index = 0; index < count; index += 1) {
            const { x, y } = cellAt(band, pitch, index)
            // One assertion for all: there are thousands.
            const inside = x >= 0 && x + pitch <= room.width + 1e-6 && y + pitch <= grid.height + 1e-6
            if (!inside) outside += 1
            taken.add(`${x.toFixed(2)} ${y.toFixed(2)}`)
          }
          cells += count
        }
        expect(taken.size).toBe(
          bands.reduce((sum, { cluster }) => sum + (sizes.find(({ name }) => name === cluster)?.count ?? 0), 0),
        )
      }
      expect(cells).toBe(workloads)
      expect(outside).toBe(0)
    },
  )
})

test('at the default, 55 inches from 4 m, a usual fleet leaves room for a rail of six lines', () => {
  const { railLines, pages } = layoutOf(roomOf(SCREENS['1080p']), fleet(2, 40), null)
  expect(railLines).toBeGreaterThanOrEqual(6)
  expect(pages).toHaveLength(1)
})

test.each(
  [3, 4, 5, 6].flatMap((distance) =>
    [55, 65, 75].flatMap((inch) =>
      Object.values(SCREENS).flatMap((size) => [2, 10, 50].map((clusters) => ({ distance, inch, size, clusters }))),
    ),
  ),
)('$inch inches from $distance m, $size, $clusters clusters: rail, cells and footer are there', (given) => {
  const { distance, inch, size, clusters } = given
  const room = roomOf(size, inch, distance)
  const { grid, footer, railLines, pages } = layoutOf(room, fleet(clusters, 200), null)
  expect(railLines).toBeGreaterThanOrEqual(1)
  expect(grid.y + grid.height + footer).toBeLessThanOrEqual(room.height + 1e-6)
  for (const { bands, pitch } of pages)
    for (const { y, height } of bands) {
      expect(pitch).toBeGreaterThanOrEqual(7)
      expect(y + height).toBeLessThanOrEqual(grid.height + 1e-6)
    }
})

test('4K shows the same as 1080p, twice as fine', () => {
  const small = layoutOf(roomOf(SCREENS['1080p']), fleet(10, 1_000), null)
  const large = layoutOf(roomOf(SCREENS['4K']), fleet(10, 1_000), null)
  expect(large.railLines).toBe(small.railLines)
  expect(large.pages[0]?.pitch).toBeCloseTo(2 * (small.pages[0]?.pitch ?? 0), 6)
})

test('pages of the address hold the clusters they name, and a last one whoever is left', () => {
  const { pages } = layoutOf(roomOf(SCREENS['1080p']), fleet(4, 40), [['cluster-2'], ['cluster-0', 'nobody']])
  expect(pages.map(({ bands }) => bands.map(({ cluster }) => cluster))).toEqual([
    ['cluster-2'],
    ['cluster-0'],
    ['cluster-1', 'cluster-3'],
  ])
})
