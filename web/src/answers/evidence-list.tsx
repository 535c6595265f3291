import './evidence-list.css'
import type { Evidence } from '@goldseam/server/contract'

interface EvidenceListProps {
  readonly evidence: readonly Evidence[]
  /** How a sentence of the server reads here: its times in the zone of the page. */
  readonly say: (sentence: string) => string
}

/** What was looked for: found, not found, or not to be known. Three answers, three signs. */
export function EvidenceList({ evidence, say }: EvidenceListProps) {
  return (
    <ul className="evidence">
      {evidence.map((item) => (
        <EvidenceItem key={item.name} answer={item.answer} text={say(item.text)} />
      ))}
    </ul>
  )
}

function EvidenceItem({ answer, text }: Pick<Evidence, 'answer' | 'text'>) {
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
