interface TreeLinesProps {
  readonly level: number
  readonly rails: readonly boolean[]
  readonly last: boolean
  /** The call crosses clusters: drawn as the gold double rail. */
  readonly seam: boolean
}

/** The lines that say whose call a row is. The level itself is told in words elsewhere. */
export function TreeLines({ level, rails, last, seam }: TreeLinesProps) {
  if (level === 0) return null
  const depths = rails.map((goesOn, depth) => ({ depth, goesOn }))
  return (
    <span className="tree-lines" aria-hidden="true">
      {depths.map(({ depth, goesOn }) => (
        <span key={depth} className="tree-rail" data-on={goesOn} />
      ))}
      <span className="tree-rail tree-elbow" data-last={last} data-seam={seam} />
    </span>
  )
}
