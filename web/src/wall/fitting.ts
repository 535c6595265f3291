/** Mean width of a letter of running text, in ems; rather more than less, because what is cut off is not said. */
const LETTER = 0.52
/** Of a fact of the hero, semibold with digits, and of the gap to the next one. */
const FACT_LETTER = 0.57
const FACT_GAP = 0.7

/** The fullest wording that has room in so many rows of `units` ems, each row broken between words; else the last. */
export function fitted(wordings: readonly string[], units: number, rows: number): string {
  return wordings.find((words) => rowsOf(words, units) <= rows) ?? wordings.at(-1) ?? ''
}

/** Rows that a text takes; infinitely many when a word is longer than a row. */
export function rowsOf(text: string, units: number): number {
  const most = Math.floor(units / LETTER)
  let rows = 1
  let used = 0
  for (const word of text.split(' ')) {
    if (word.length > most) return Number.POSITIVE_INFINITY
    const after = used === 0 ? word.length : used + 1 + word.length
    if (after > most) rows += 1
    used = after > most ? word.length : after
  }
  return rows
}

/** A few words that stand together; what is worth more goes later. */
export interface Fact {
  readonly text: string
  readonly worth: number
}

/** Ems that they take in one row, the gap before each included. */
export function factsWidth(facts: readonly Fact[]): number {
  return facts.reduce((sum, { text }) => sum + text.length * FACT_LETTER + FACT_GAP, 0)
}

/** The facts that have room in so many rows of `units` ems; one is left in any case. */
export function fittingFacts(facts: readonly Fact[], units: number, rows: number): Fact[] {
  const kept = [...facts]
  while (kept.length > 1 && factRows(kept, units) > rows) {
    const least = Math.min(...kept.map(({ worth }) => worth))
    kept.splice(
      kept.findIndex(({ worth }) => worth === least),
      1,
    )
  }
  return kept
}

/** Rows that facts take, each whole. */
export function factRows(facts: readonly Fact[], units: number): number {
  let rows = 1
  let used = 0
  for (const { text } of facts) {
    const width = text.length * FACT_LETTER
    const after = used === 0 ? width : used + FACT_GAP + width
    if (after > units && used > 0) rows += 1
    used = after > units ? width : after
  }
  return rows
}
