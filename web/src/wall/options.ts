/** What a wall's address says about the screen it hangs on. */
export interface WallOptions {
  /** Diagonal of the picture. */
  readonly inch: number
  /** From the farthest seat, metres. */
  readonly dist: number
  /** Each page's clusters; null: as many pages as are needed. */
  readonly pages: readonly (readonly string[])[] | null
  /** Seconds a page stays. */
  readonly rotate: number
  /** From and until this hour the picture is dimmed; null: never. */
  readonly night: { readonly from: number; readonly to: number } | null
  /** Per cent of the height that televisions cut off at each edge. */
  readonly safe: number
  readonly theme: 'dark' | 'light'
  readonly calibrate: boolean
}

/** Reads the address; what does not fit is as if it were not there: nobody is at the keyboard. */
export function readOptions(search: string): WallOptions {
  const given = new URLSearchParams(search)
  return {
    inch: within(given.get('inch'), 5, 500, 55),
    dist: within(given.get('dist'), 0.3, 60, 4),
    pages: pagesOf(given.get('pages')),
    rotate: within(given.get('rotate'), 5, 120, 15),
    night: nightOf(given.get('night')),
    safe: within(given.get('safe'), 0, 10, 2.5),
    theme: given.get('theme') === 'light' ? 'light' : 'dark',
    calibrate: given.get('calibrate') === '1',
  }
}

function within(text: string | null, least: number, most: number, usual: number): number {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text)
  return value >= least && value <= most ? value : usual
}

/** `east+west,north`: two pages. */
function pagesOf(text: string | null): WallOptions['pages'] {
  const pages = (text ?? '')
    .split(',')
    // In an address a plus means a blank.
    .map((page) => page.split(/[+ ]/).filter((name) => name !== ''))
    .filter((page) => page.length > 0)
  return pages.length === 0 ? null : pages
}

function nightOf(text: string | null): WallOptions['night'] {
  const [, from, to] = /^(\d{1,2})-(\d{1,2})$/.exec(text ?? '') ?? []
  const hours = { from: Number(from), to: Number(to) }
  return hours.from < 24 && hours.to < 24 && hours.from !== hours.to ? hours : null
}

export function isNight(night: WallOptions['night'], hour: number): boolean {
  if (night === null) return false
  const { from, to } = night
  return from < to ? hour >= from && hour < to : hour >= from || hour < to
}
