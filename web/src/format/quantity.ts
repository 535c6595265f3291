/** A number made ready to print: digits and unit apart so that digits align in a column, and the same for the ear. */
export interface Quantity {
  readonly digits: string
  /** With its leading space where one belongs: " ms", "/s", " %". */
  readonly unit: string
  readonly spoken: string
}

export function printed({ digits, unit }: Quantity): string {
  return `${digits}${unit}`
}

/** The real minus sign: as wide as a plus, so signed columns align. */
export const MINUS = '\u2212'
