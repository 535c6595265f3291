import './evidence-list.css'
import type { Evidence } from '@goldseam/server/contract'

/** What was looked for: found, not found, or not to be known. Three answers, three signs. */
export function EvidenceList({ evidence }: { readonly evidence: readonly Evidence[] }) {
  return (
    <ul className="evidence">
      {evidence.map((item) => (
        <EvidenceItem key={item.name} evidence={item} />
      ))}
    </ul>
  )
}

function EvidenceItem({ evidence: { answer, text } }: { readonly evidence: Evidence }) {
  const [sign, word] = answer === null ? ['?', 'unknown'] : answer ? ['✓', 'found'] : ['', 'looked for, not found']
  return (
    <li data-answer={String(answer)}>
      <span className="evidence-sign" aria-hidden="true">
        {sign}
      </span>
      <span>
        <span className="sr-only">{word}: </span>
        {text}
      </span>
    </li>
  )
}
