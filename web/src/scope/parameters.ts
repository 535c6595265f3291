/** Tells whether a copied link arrived whole. */
export const SEAL = 'k'

/** Every parameter that a link can hold, in the order links are written in. What is not here comes last and is kept. */
const COMMON = [
  'v',
  'k',
  'from',
  'to',
  'window',
  'asof',
  'c',
  'ns',
  'q',
  'st',
  'sel',
  'cmp',
  'saved',
  'refresh',
  'tz',
  'theme',
]

/** Parameters that belong to one screen and must not follow to another. */
const OF_SCREENS = [
  ...['sort', 'cols', 'group', 'view'],
  ...['tab', 'open', 'deps', 'expand', 'unit'],
  ...['show', 'dir', 'at'],
  ...['not', 'panel'],
  ...['a', 'b', 'align', 'goals', 'lat'],
  ...['on', 'join', 'step'],
  ...['gone', 'split', 'days'],
  ...['inch', 'dist', 'pages', 'rotate', 'night', 'safe', 'calibrate'],
]
const OF_ONE_VIEW = new Set([SEAL, 'asof', 'q', 'st', 'sel', ...OF_SCREENS])

const RANKS = new Map([...COMMON, ...OF_SCREENS].map((key, rank) => [key, rank]))

/** `e1`, `e2`, ...: expressions of Explore. */
const EXPRESSION = /^e\d{1,2}$/

export function isKnown(key: string): boolean {
  return RANKS.has(key) || EXPRESSION.test(key)
}

/** Whether a parameter stays behind when one goes to another screen. */
export function staysBehind(key: string): boolean {
  return OF_ONE_VIEW.has(key) || EXPRESSION.test(key)
}

/** The canonical order: one state, one link. Unknown parameters keep theirs, behind the known ones. */
export function inOrder(keys: readonly string[]): string[] {
  const rank = (key: string) => RANKS.get(key) ?? (EXPRESSION.test(key) ? RANKS.size : RANKS.size + 1)
  return [...keys].sort(
    (a, b) => rank(a) - rank(b) || (EXPRESSION.test(a) ? Number(a.slice(1)) - Number(b.slice(1)) : 0),
  )
}

const LONGEST_EXPRESSION = 8_000
const LONGEST_VALUE = 2_000

/** Expressions may be written over several lines; every other control character is a broken link. */
export function mayHaveLines(key: string): boolean {
  return EXPRESSION.test(key)
}

/** Characters, decoded. */
export function longestValue(key: string): number {
  return EXPRESSION.test(key) ? LONGEST_EXPRESSION : LONGEST_VALUE
}
