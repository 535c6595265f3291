import { AT } from '../test/builders.ts'

const RealDate = Date
/** So old is the newest snapshot of the fixtures when a page of the gallery opens. */
const FIRST_LOOK_MS = Date.parse(AT) + 3_000
let nowMs = FIRST_LOOK_MS

/** The gallery's clock stands: ages are the same whenever one looks. Imported before everything else. */
class StandingDate extends RealDate {
  constructor(...parts: [] | [number | string | Date]) {
    super(...(parts.length === 0 ? ([nowMs] as [number]) : (parts as [number])))
  }
  static override now(): number {
    return nowMs
  }
}
globalThis.Date = StandingDate as DateConstructor

/** Lets so many seconds pass at once. */
export function passSeconds(seconds: number): void {
  nowMs += seconds * 1_000
}
