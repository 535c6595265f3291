import { Glyph } from '../ui/glyph.tsx'
import { type Fact, factRows, factsWidth, fitted, fittingFacts } from './fitting.ts'
import type { HeroView, Wordings } from './hero-view.ts'
import { Qr } from './qr.tsx'
import { middle } from './state.ts'

interface HeroProps {
  readonly view: HeroView
  /** What somebody wants everybody to know; null: nothing, or it stands elsewhere. */
  readonly note: Wordings | null
  /** The rail's place is free too when there is nothing to list. */
  readonly tall: boolean
  /** Little height: a smaller name, and each of the rest on one line. */
  readonly short: boolean
  readonly height: number
  readonly width: number
  readonly unit: number
  readonly link: { readonly address: string; readonly code: string | null } | null
}

const LETTER = 0.58
const NAME = 2.2
const LEAST_NAME = 1.5
const SHORT_NAME = 1.7
const LEAST_TITLE = 0.8
/** In units, as the styles have it: a row of text, one of the title, and what is above and below. */
const LINE = 1.2
const TITLE_LINE = 1.15
const PADDING = 0.5
const QR = 4.6
const GAP = 1
/** Of one line of the text, where the place is tall. */
const MOST_ROWS = 4
/** In which cluster it is, is said last of all to go. */
const MOST_WORTH = 9

/** The most valuable place: what is wrong, where, since when; or that nothing is; or that nobody can tell. */
export function Hero({ view, note, tall, short, height, width, unit, link }: HeroProps) {
  const narrow = width < 26 * unit
  // No room for anything beside the words.
  const slim = width < 16 * unit
  const inside = width / unit - PADDING - 0.2 - (link === null || slim ? 0 : QR + GAP)
  const room = inside - 2.5
  // A shorter name, or smaller letters; both only as far as they must.
  const beside = view.beside === '' || narrow ? 0 : view.beside.length * LETTER + 0.8
  const letters = Math.min(view.title.length, 22)
  const oneLine = room - (narrow ? 0 : factsWidth(view.facts)) - beside
  const wraps = narrow || oneLine < letters * LETTER * LEAST_NAME
  const forName = Math.max(4, wraps ? room - beside : oneLine)
  const size = view.named
    ? Math.min(short || slim ? SHORT_NAME : NAME, Math.max(LEAST_NAME, forName / (letters * LETTER)))
    : tall
      ? short
        ? 2.6
        : 3.6
      : NAME
  const fitting = view.named ? Math.max(6, Math.floor(forName / (size * LETTER))) : view.title.length
  const titleSize = view.named ? size : Math.max(LEAST_TITLE, Math.min(size, room / (view.title.length * LETTER)))
  const rows = (height / unit - PADDING - titleSize * TITLE_LINE) / LINE
  const cluster = { text: view.beside, worth: MOST_WORTH }
  const facts = narrow && view.beside !== '' ? [cluster, ...view.facts] : view.facts
  const second = wraps && facts.length > 0 ? fittingFacts(facts, inside, Math.max(1, Math.floor(rows - 1))) : []
  const lines = note === null ? view.lines : [...view.lines, note]
  const left = rows - (second.length === 0 ? 0 : factRows(second, inside))
  const each = Math.max(1, Math.min(MOST_ROWS, Math.floor(left / Math.max(1, lines.length))))
  const said = lines.map((wordings) => fitted(wordings, inside, each))
  return (
    <section
      className="hero"
      data-tone={view.tone}
      data-tall={tall}
      data-narrow={narrow}
      data-short={short}
      data-slim={slim}
      style={{ height }}
      aria-live="polite"
    >
      <div className="hero-text">
        <div className="hero-first">
          <span className="hero-glyph" style={{ width: `${titleSize}em` }}>
            <Glyph mark={view.mark} />
          </span>
          <h1 style={{ fontSize: `calc(var(--u) * ${titleSize})` }}>
            {view.named ? middle(view.title, Math.min(22, fitting)) : view.title}
          </h1>
          {view.beside !== '' && !narrow && <span className="hero-beside">{view.beside}</span>}
          {!wraps && <Facts facts={view.facts} />}
        </div>
        {second.length > 0 && (
          <div className="hero-second">
            <Facts facts={second} />
          </div>
        )}
        {said.map((line) => (
          <p key={line} className="hero-line">
            {line}
          </p>
        ))}
      </div>
      {link !== null && !slim && (
        <div className="hero-link">
          <Qr address={link.address} />
          {link.code !== null && <span className="hero-code">{link.code}</span>}
        </div>
      )}
    </section>
  )
}

function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return facts.map(({ text, worth }) => (
    <span key={worth} className="hero-fact">
      {text}
    </span>
  ))
}
