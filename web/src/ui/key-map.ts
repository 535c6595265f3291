interface KeyUse {
  readonly does: string
  readonly where: 'everywhere' | 'time and links' | 'tables' | 'map and workload' | 'explore'
}

/**
 * Every key there is, once: what `useKey` may bind and what the help sheet says. `Mod` is Ctrl, or Cmd on a Mac; two
 * keys with a space between are pressed one after the other.
 */
export const KEY_MAP = {
  'Mod+K': { does: 'find anything: a workload, a screen, a time, an action', where: 'everywhere' },
  '?': { does: 'this help', where: 'everywhere' },
  'g f': { does: 'go to the fleet', where: 'everywhere' },
  'g t': { does: 'go to triage, the argument in full', where: 'everywhere' },
  'g m': { does: 'go to the map', where: 'everywhere' },
  'g c': { does: 'go to the clusters', where: 'everywhere' },
  m: { does: 'map', where: 'everywhere' },
  s: { does: 'suspects: the argument, beside what you look at', where: 'everywhere' },
  u: { does: 'up to the fleet', where: 'everywhere' },
  Backspace: { does: 'up to the fleet', where: 'everywhere' },
  c: { does: 'compare with before', where: 'everywhere' },
  e: { does: 'explore this with PromQL', where: 'everywhere' },
  w: { does: 'a wall for a screen: its address, and how it opens by itself', where: 'everywhere' },
  R: { does: 'load the new version, once the page says that there is one', where: 'everywhere' },
  t: { does: 'time range', where: 'time and links' },
  p: { does: 'pause or go on', where: 'time and links' },
  r: { does: 'refresh now', where: 'time and links' },
  y: { does: 'copy a live link: it goes on with time', where: 'time and links' },
  Y: { does: 'copy a frozen link: it shows this moment for good', where: 'time and links' },
  C: { does: 'copy the finding as text', where: 'time and links' },
  '/': { does: 'filter the table', where: 'tables' },
  j: { does: 'next row', where: 'tables' },
  k: { does: 'previous row', where: 'tables' },
  o: { does: 'open the row, as Enter does', where: 'tables' },
  x: { does: 'choose the row; of two, go and compare them', where: 'tables' },
  '.': { does: 'apply the held order', where: 'tables' },
  '[': { does: 'previous suspect', where: 'map and workload' },
  ']': { does: 'next suspect', where: 'map and workload' },
  T: { does: 'picture or table; on Explore too', where: 'map and workload' },
  'Mod+Enter': { does: 'ask what is typed', where: 'explore' },
  h: { does: 'to the caller that calls it most', where: 'map and workload' },
  l: { does: 'to the call that most of the time is lost in', where: 'map and workload' },
} as const satisfies Readonly<Record<string, KeyUse>>

export type BoundKey = keyof typeof KEY_MAP
