/** Even steps of lightness that everybody sees the same, however they see colours (Nuñez, Anderton, Renslow 2018). */
const STOPS = [
  '#00204d',
  '#00336f',
  '#39486b',
  '#575c6d',
  '#707173',
  '#8a8779',
  '#a69d75',
  '#c4b56c',
  '#e4cf5b',
  '#ffea46',
].map((hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)))

/** The colour of a part of the whole, 0 to 1. More is brighter on dark ground, darker on light ground. */
export function cividis(part: number, dark: boolean): string {
  const at = Math.min(1, Math.max(0, dark ? part : 1 - part)) * (STOPS.length - 1)
  const low = STOPS[Math.floor(at)] ?? [0, 0, 0]
  const high = STOPS[Math.ceil(at)] ?? low
  const mix = low.map((value, index) => Math.round(value + ((high[index] ?? value) - value) * (at - Math.floor(at))))
  return `rgb(${mix.join(' ')})`
}
