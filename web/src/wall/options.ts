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
  /** What in the address does not fit, in words; the picture stands as if it were not there. */
  readonly problems: readonly string[]
}

/** Reads the address. What does not fit is said and left out: nobody is at the keyboard. */
export function readOptions(search: string): WallOptions {
  const given = new URLSearchParams(search)
  const problems: string[] = []
  const within = (name: string, least: number, most: number, usual: number) => {
    const text = (given.get(name) ?? '').trim()
    const value = Number(text)
    if (text === '' || (value >= least && value <= most)) return text === '' ? usual : value
    problems.push(`${name}=${text}: use ${least} to ${most}`)
    return usual
  }
  const options = {
    inch: within('inch', 5, 500, 55),
    dist: within('dist', 0.3, 60, 4),
    pages: pagesOf(given.get('pages')),
    rotate: within('rotate', 5, 120, 15),
    night: nightOf(given.get('night')),
    safe: within('safe', 0, 10, 2.5),
    theme: given.get('theme') === 'light' ? ('light' as const) : ('dark' as const),
    calibrate: given.get('calibrate') === '1',
  }
  if (given.get('night') && options.night === null) problems.push(`night=${given.get('night')}: use 21-6`)
  const theme = given.get('theme')
  if (theme && theme !== options.theme) problems.push(`theme=${theme}: use dark or light`)
  return { ...options, problems }
}

/** All that is wrong with the address, now that the clusters are known. */
export function problemsWith({ pages, problems }: WallOptions, clusters: readonly string[]): readonly string[] {
  const strange = (pages ?? []).flat().filter((name) => !clusters.includes(name))
  return [...problems, ...strange.map((name) => `pages: there is no cluster ${name}`)]
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
