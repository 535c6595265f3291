import { Glyph } from '../ui/glyph.tsx'
import type { HeroView } from './hero-view.ts'
import { Qr } from './qr.tsx'
import { middle } from './state.ts'

interface HeroProps {
  readonly view: HeroView
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

/** The most valuable place: what is wrong, where, since when; or that nothing is; or that nobody can tell. */
export function Hero({ view, tall, short, height, width, unit, link }: HeroProps) {
  const narrow = width < 26 * unit
  // No room for anything beside the words.
  const slim = width < 16 * unit
  const qr = link === null || slim ? 0 : 4.6
  const room = width / unit - qr - 3.2
  // A shorter name, or smaller letters; both only as far as they must.
  const facts = narrow ? 0 : view.facts.reduce((sum, fact) => sum + fact.length * 0.56 + 1, 0)
  const beside = view.beside === '' || narrow ? 0 : view.beside.length * 0.58 + 0.8
  const letters = Math.min(view.title.length, 22)
  const oneLine = room - facts - beside
  const wraps = !narrow && oneLine < letters * LETTER * LEAST_NAME
  const forName = Math.max(4, wraps ? room - beside : oneLine)
  const size = view.named
    ? Math.min(short || slim ? SHORT_NAME : NAME, Math.max(LEAST_NAME, forName / (letters * LETTER)))
    : tall
      ? short
        ? 2.6
        : 3.6
      : NAME
  const fitting = view.named ? Math.max(6, Math.floor(forName / (size * LETTER))) : view.title.length
  const titleSize = view.named ? size : Math.min(size, room / (view.title.length * LETTER))
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
          {!narrow && !wraps && <Facts facts={view.facts} />}
        </div>
        {(narrow || wraps) && view.facts.length > 0 && (
          <div className="hero-second">
            <Facts facts={narrow ? [view.beside, ...view.facts] : view.facts} />
          </div>
        )}
        {view.lines.map((line) => (
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

function Facts({ facts }: { readonly facts: readonly string[] }) {
  return facts.map((fact) => (
    <span key={fact.split(' ')[0]} className="hero-fact">
      {fact}
    </span>
  ))
}
