import { instant } from '../../format/clock.ts'

const DAY_MS = 86_400_000
/** From here on it is worth a line where nobody asked for it. */
const SOON_DAYS = 14

export interface CertificateWords {
  readonly text: string
  /** What to do, where it has run out or soon will; null: nothing. */
  readonly advice: string | null
}

/** Until when an endpoint's certificate is good, seen from `atMs`; null without one. */
export function certificateWords(endsAt: string | null | undefined, atMs: number): CertificateWords | null {
  const endsMs = Date.parse(endsAt ?? '')
  if (endsAt == null || Number.isNaN(endsMs)) return null
  const days = Math.floor(Math.abs(endsMs - atMs) / DAY_MS)
  const span = days === 0 ? 'less than a day' : days === 1 ? '1 day' : `${days} days`
  if (endsMs <= atMs) return { text: `expired ${instant(endsAt)}, ${span} ago`, advice: 'renew it' }
  const advice = endsMs - atMs < SOON_DAYS * DAY_MS ? 'renew it before Prometheus cannot be read' : null
  return { text: `good until ${instant(endsAt)}, ${span} from now`, advice }
}
