import './glyph.css'

/**
 * Shape is how bad the callers have it; filled or outline is whose doing it is:
 * filled = its own, outline = explained by a suspect further down, outline with a dot = nobody can say.
 */
export type Mark =
  | 'ok'
  | 'warn'
  | 'warnVia'
  | 'crit'
  | 'critVia'
  | 'critOpen'
  | 'none'
  | 'stale'
  | 'partial'
  | 'unknown'

export const MARK_WORDS: Record<Mark, string> = {
  ok: 'healthy',
  warn: 'slower than usual',
  warnVia: 'slower than usual, explained by a suspect',
  crit: 'in trouble, its own doing',
  critVia: 'in trouble, explained by a suspect',
  critOpen: 'in trouble, cause not known',
  none: 'no data',
  stale: 'stale',
  partial: 'partial',
  unknown: 'cannot tell',
}

interface GlyphProps {
  readonly mark: Mark
  readonly label?: string
  readonly size?: number
}

export function Glyph({ mark, label, size = 12 }: GlyphProps) {
  return (
    <svg
      className="glyph"
      data-mark={mark}
      viewBox="0 0 12 12"
      width={size}
      height={size}
      role="img"
      aria-label={label ?? MARK_WORDS[mark]}
    >
      <title>{label ?? MARK_WORDS[mark]}</title>
      <Shape mark={mark} />
    </svg>
  )
}

function Shape({ mark }: { readonly mark: Mark }) {
  const outline = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.5 } as const
  switch (mark) {
    case 'ok':
      return <circle cx="6" cy="6" r="3" fill="currentColor" />
    case 'warn':
      return <path d="M6 1.200 11.300 10.600H.7z" fill="currentColor" />
    case 'warnVia':
      return <path d="M6 2.300 10.300 9.900H1.700z" {...outline} strokeLinejoin="round" />
    case 'crit':
      return <path d="M6 .2 11.800 6 6 11.800.2 6z" fill="currentColor" />
    case 'critVia':
      return <path d="M6 1.300 10.700 6 6 10.700 1.300 6z" {...outline} />
    case 'critOpen':
      return (
        <>
          <path d="M6 1.3 10.7 6 6 10.7 1.3 6z" {...outline} />
          <circle cx="6" cy="6" r="1.6" fill="currentColor" />
        </>
      )
    case 'none':
      return <circle cx="6" cy="6" r="3.400" {...outline} />
    case 'stale':
      return <path d="M1 1h10v10H1zM1 5l4-4M1 9l8-8M3 11l8-8M7 11l4-4" {...outline} strokeWidth={1.1} />
    case 'partial':
      return (
        <>
          <circle cx="6" cy="6" r="4" {...outline} />
          <path d="M6 2a4 4 0 0 0 0 8z" fill="currentColor" />
        </>
      )
    case 'unknown':
      return (
        <path
          d="M3.400 4.200C3.400 2.700 4.500 1.700 6 1.700s2.600 1 2.600 2.400c0 1.900-2.500 2-2.500 3.800M6.050 10.200v.2"
          {...outline}
          strokeWidth={1.8}
          strokeLinecap="round"
        />
      )
    default:
      return mark satisfies never
  }
}
