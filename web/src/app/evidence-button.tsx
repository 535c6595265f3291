interface EvidenceButtonProps {
  /** Being saved, or on screen already as what was saved. */
  readonly disabled: boolean
  readonly onClick: () => void
  readonly plain?: boolean
}

export function EvidenceButton({ disabled, onClick, plain = false }: EvidenceButtonProps) {
  return (
    <button
      type="button"
      className={plain ? 'button button-plain' : 'button'}
      disabled={disabled}
      title="Keeps the answers themselves: they stay readable when Prometheus has dropped the data"
      onClick={onClick}
    >
      Save evidence
    </button>
  )
}
