/** Where everything of a wall stands, in CSS pixels inside the safe area. Pure: the same fleet, the same picture. */

export interface Room {
  readonly width: number
  readonly height: number
  /** The wall's unit: the font size of body text. */
  readonly unit: number
}

export interface Band {
  readonly cluster: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** Of the name, left of the cells. */
  readonly labelWidth: number
  readonly columns: number
}

export interface Page {
  readonly bands: readonly Band[]
  /** Side of a cell with the gap to the next. */
  readonly pitch: number
}

export interface Layout {
  readonly header: number
  readonly footer: number
  readonly hero: number
  readonly row: number
  /** Lines of the worst rail, the one that counts the rest included. */
  readonly railLines: number
  readonly grid: { readonly y: number; readonly height: number }
  readonly pages: readonly Page[]
  /** Less than 26 units wide: rows show less, the hero takes two lines more. */
  readonly narrow: boolean
  /** Less than 18 units high: the hero gives room to the cells. */
  readonly short: boolean
}

/** Heights in units; a caption of 0.8 units fits into each line. */
const HEADER = 1.6
const FOOTER = 1.3
const HERO = 5.4
const HERO_NARROW = 8.4
/** Across, and seen from so far that letters take a twelfth of the height: the name smaller, the rest on three lines. */
const HERO_SHORT = 6.4
const SHORT_UNITS = 18
const ROW = 1.35
const LABEL_LINE = 1.1
const BAND_GAP = 0.3
/** Between the rail and the cells. */
const GRID_GAP = 0.35
const MOST_LINES = 13
/** Sides of a cell, in units: larger is not clearer, smaller is not to be told apart from afar. */
const LARGEST_PITCH = 0.95
const SMALLEST_PITCH = 0.17
const SMALLEST_PITCH_PX = 7
/** Rows that a dense fleet gives up last. */
const LEAST_LINES = 3
const GOOD_LINES = 6
const MOST_COLUMNS = 6

export interface ClusterSize {
  readonly name: string
  readonly count: number
}

/**
 * Does not depend on who is in trouble: every workload keeps its place from calm to incident. `pages`: what the address
 * asks for; else as many as are needed for cells that can be told apart.
 */
export function layoutOf(
  room: Room,
  clusters: readonly ClusterSize[],
  pages: readonly (readonly string[])[] | null,
): Layout {
  const { unit } = room
  const narrow = room.width < 26 * unit
  const short = room.height < SHORT_UNITS * unit
  const header = HEADER * unit
  const footer = FOOTER * unit
  const hero = (narrow ? (short ? HERO_SHORT : HERO_NARROW) : HERO) * unit
  const row = ROW * unit
  const free = Math.max(0, room.height - header - footer - hero - GRID_GAP * unit)
  const wanted = pages === null ? null : grouped(clusters, pages)
  const fitted = fittingPages(room, wanted ?? [clusters], free, { row, least: short ? 1 : LEAST_LINES })
  const railLines = fitted?.railLines ?? linesFor(free, row, short)
  const gridHeight = Math.max(0, free - railLines * row)
  const drawn =
    fitted?.pages ?? (wanted ?? split(room, clusters, gridHeight)).map((group) => pageOf(room, group, gridHeight))
  return {
    header,
    footer,
    hero,
    row,
    railLines,
    grid: { y: header + hero + railLines * row + GRID_GAP * unit, height: gridHeight },
    pages: drawn.length === 0 ? [{ bands: [], pitch: smallest(unit) }] : drawn,
    narrow,
    short,
  }
}

/** Half of what is free, when the pages are not enough. */
function linesFor(free: number, row: number, short: boolean): number {
  return Math.max(short ? 1 : LEAST_LINES, Math.min(GOOD_LINES, Math.floor((free * 0.45) / row)))
}

function smallest(unit: number): number {
  return Math.max(SMALLEST_PITCH_PX, SMALLEST_PITCH * unit)
}

/** The largest cells that leave a good rail; then a shorter rail rather than cells too small. Null: they need more pages. */
function fittingPages(
  room: Room,
  groups: readonly (readonly ClusterSize[])[],
  free: number,
  { row, least }: { readonly row: number; readonly least: number },
): { pages: readonly Page[]; railLines: number } | null {
  for (let lines = GOOD_LINES; lines >= least; lines -= 1) {
    const pages = groups.flatMap((group) => largest(room, group, free - lines * row, smallest(room.unit)) ?? [])
    if (pages.length < groups.length) continue
    const highest = Math.max(0, ...pages.map(heightOf))
    return { pages, railLines: Math.max(lines, Math.min(MOST_LINES, Math.floor((free - highest) / row))) }
  }
  return null
}

function heightOf({ bands }: Page): number {
  return bands.reduce((height, band) => Math.max(height, band.y + band.height), 0)
}

/** The page with the largest cells; null when even the smallest do not fit. */
function largest(room: Room, clusters: readonly ClusterSize[], height: number, least: number): Page | null {
  if (height <= 0) return null
  for (let pitch = LARGEST_PITCH * room.unit; ; pitch *= 0.96) {
    const tried = Math.max(pitch, least)
    for (let columns = 1; columns <= Math.min(MOST_COLUMNS, Math.max(1, clusters.length)); columns += 1) {
      const bands = place(room, clusters, height, tried, columns)
      if (bands !== null) return { bands, pitch: tried }
    }
    if (tried === least) return null
  }
}

/** Clusters one after the other, from top to bottom and column to column; null when they do not fit. */
function place(
  { width, unit }: Room,
  clusters: readonly ClusterSize[],
  height: number,
  pitch: number,
  columns: number,
): Band[] | null {
  const gap = unit
  const columnWidth = (width - gap * (columns - 1)) / columns
  const longest = clusters.reduce((most, { name }) => Math.max(most, name.length), 3)
  const labelWidth = Math.min(columnWidth * 0.5, (Math.min(longest, 14) * 0.5 + 0.8) * unit)
  const perLine = Math.floor((columnWidth - labelWidth) / pitch)
  if (perLine < 1 || labelWidth < 2.3 * unit) return null
  const bands: Band[] = []
  let column = 0
  let y = 0
  for (const { name, count } of clusters) {
    const bandHeight = Math.max(LABEL_LINE * unit, Math.ceil(count / perLine) * pitch)
    if (y > 0 && y + bandHeight > height) {
      column += 1
      y = 0
    }
    if (column >= columns || bandHeight > height) return null
    const x = column * (columnWidth + gap)
    bands.push({ cluster: name, x, y, width: columnWidth, height: bandHeight, labelWidth, columns: perLine })
    y += bandHeight + BAND_GAP * unit
  }
  return bands
}

/** As many clusters on each page as fit with the smallest cells. One that fits nowhere gets a page of its own. */
function split(room: Room, clusters: readonly ClusterSize[], height: number): ClusterSize[][] {
  const pages: ClusterSize[][] = []
  let page: ClusterSize[] = []
  for (const cluster of clusters) {
    const grown = [...page, cluster]
    if (page.length > 0 && largest(room, grown, height, smallest(room.unit)) === null) {
      pages.push(page)
      page = [cluster]
    } else page = grown
  }
  return page.length === 0 ? pages : [...pages, page]
}

/** What the address asks for, and a last page with whoever it forgot: nobody may be off screen for good. */
function grouped(clusters: readonly ClusterSize[], pages: readonly (readonly string[])[]): ClusterSize[][] {
  const named = pages.map((names) => clusters.filter(({ name }) => names.includes(name)))
  const rest = clusters.filter(({ name }) => !pages.some((names) => names.includes(name)))
  return [...named, rest].filter((group) => group.length > 0)
}

/** Where not even the smallest cells fit, smaller ones have to do: every workload is drawn. */
function pageOf(room: Room, clusters: readonly ClusterSize[], height: number): Page {
  const fitting = largest(room, clusters, height, smallest(room.unit))
  if (fitting !== null) return fitting
  const tiny = largest(room, clusters, height, 2)
  if (tiny !== null) return tiny
  // Not even the names have room: all of them in lines of equal height.
  const each = height / Math.max(1, clusters.length)
  const labelWidth = 3 * room.unit
  const count = clusters.reduce((most, cluster) => Math.max(most, cluster.count), 1)
  const columns = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(each / 2))))
  const bands = clusters.map(({ name }, index) => ({
    cluster: name,
    x: 0,
    y: index * each,
    width: room.width,
    height: each,
    labelWidth,
    columns,
  }))
  return { bands, pitch: Math.min(2, (room.width - labelWidth) / columns) }
}

/** Left upper corner of a cell inside the grid. */
export function cellAt(band: Band, pitch: number, index: number): { x: number; y: number } {
  return {
    x: band.x + band.labelWidth + (index % band.columns) * pitch,
    y: band.y + Math.floor(index / band.columns) * pitch,
  }
}
