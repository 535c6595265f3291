/** What is left of a line where its table does not fit, as on paper: "least 98 ms, middle 312 ms, most 2.44 s". */
export function extentOf(values: readonly (number | null)[], print: (value: number) => string): string {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b)
  const [least, middle, most] = [known[0], known[Math.floor((known.length - 1) / 2)], known.at(-1)]
  if (least === undefined || middle === undefined || most === undefined) return 'nothing measured'
  return `least ${print(least)}, middle ${print(middle)}, most ${print(most)}`
}
