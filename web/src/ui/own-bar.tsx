import './own-bar.css'

interface OwnBarProps {
  /** 0..1; anything else is clamped for the picture only. */
  readonly share: number | null
  readonly strong?: boolean
}

/** The tiny bar beside an own share. The number stands next to it, so it says nothing to the ear. */
export function OwnBar({ share, strong = false }: OwnBarProps) {
  const width = Math.min(1, Math.max(0, share ?? 0)) * 100
  return (
    <span className="own-bar" data-strong={strong} aria-hidden="true">
      {share !== null && <span className="own-bar-fill" style={{ width: `${width}%` }} />}
    </span>
  )
}
