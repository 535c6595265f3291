import './verdict-bar.css'
import type { Verdict } from '@goldseam/server/contract'
import type { ReactNode } from 'react'
import type { HeadView } from '../answers/head.ts'
import { clock, instant } from '../format/clock.ts'
import { useReadersZone } from '../scope/spoken-times.ts'
import { isLive } from '../scope/time-range.ts'
import { useScope } from '../scope/use-scope.ts'
import { WorkloadLink } from '../scope/workload-link.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Glyph, type Mark } from '../ui/glyph.tsx'
import { seenTroubleHint, seenTroubleText } from './seen-trouble.ts'
import { useShare } from './use-share.ts'
import { segmentsOf, splitSentence } from './verdict-segments.ts'

const MARKS: Record<Verdict['form'], { mark: Mark; label: string }> = {
  quiet: { mark: 'ok', label: 'All quiet' },
  suspect: { mark: 'crit', label: 'Prime suspect found' },
  several: { mark: 'crit', label: 'Several problems' },
  unknown: { mark: 'unknown', label: 'Something is off, cause unknown' },
}
/** Nobody is off, as far as can be seen. */
const UNSEEN = { mark: 'unknown', label: 'Not everything is known' } as const

interface VerdictBarProps {
  readonly view: HeadView | undefined
  readonly isBefore: boolean
  readonly isAtMoment: boolean
  readonly failed: boolean
}

/** One sentence that says what is wrong and why. The most valuable line on every screen. */
export function VerdictBar({ view, isBefore, isAtMoment, failed }: VerdictBarProps) {
  const { tz } = useScope()
  const say = useReadersZone()
  const { text } = useShare({ view, isBefore, isAtMoment })
  if (!view) {
    return (
      <section className="verdict" data-form="waiting" aria-label="Verdict">
        <Glyph mark="none" size={20} label="No verdict yet" />
        <p className="verdict-text">
          {failed ? 'No verdict: the Goldseam server does not answer.' : 'Reading the clusters...'}
        </p>
      </section>
    )
  }
  const { verdict } = view.head
  const { mark, label } = verdict.form === 'unknown' && verdict.subject === null ? UNSEEN : MARKS[verdict.form]
  const ids = [verdict.suspect, verdict.subject]
  const { lead, rest } = splitSentence(say(verdict.text), verdict.form === 'several')
  const opens = verdict.subject ?? verdict.suspect
  return (
    <section className="verdict" data-form={verdict.form} data-before={isBefore} aria-label="Verdict">
      <span className="verdict-glyph">
        <Glyph mark={mark} size={20} label={label} />
        {verdict.form === 'several' && <Glyph mark="crit" size={14} label="and more" />}
      </span>
      <div className="verdict-body">
        <p className="verdict-text">
          <Sentence text={lead} ids={ids} />
        </p>
        <VerdictFacts view={view} zone={tz}>
          {rest !== '' && (
            <span className="verdict-rest">
              <Sentence text={rest} ids={ids} />
            </span>
          )}
        </VerdictFacts>
      </div>
      <div className="verdict-actions no-print">
        {opens && (
          <WorkloadLink id={opens} className="button">
            Open
          </WorkloadLink>
        )}
        <CopyButton text={text}>Copy as text</CopyButton>
      </div>
    </section>
  )
}

function Sentence({ text: sentence, ids }: { readonly text: string; readonly ids: readonly (string | null)[] }) {
  let at = 0
  return segmentsOf(sentence, ids).map(({ text, id }) => {
    // The offset in the sentence names a piece for good: pieces neither move nor repeat.
    const key = at
    at += text.length
    return id === null ? (
      <span key={key}>{text}</span>
    ) : (
      <WorkloadLink key={key} id={id}>
        {text}
      </WorkloadLink>
    )
  })
}

interface VerdictFactsProps {
  readonly view: HeadView
  readonly zone: 'utc' | 'local'
  /** What the sentence goes on to say. */
  readonly children: ReactNode
}

function VerdictFacts({ view, zone, children }: VerdictFactsProps) {
  const { verdict, snapshot } = view.head
  const say = useReadersZone()
  const { to } = useScope()
  const said = /since/i.test(verdict.text)
  return (
    <p className="verdict-facts">
      {children}
      {verdict.seenTrouble && (
        <span title={seenTroubleHint(verdict.seenTrouble)}>
          {seenTroubleText(verdict.seenTrouble, snapshot.at, isLive(to))}
        </span>
      )}
      {verdict.word && <span>confidence: {verdict.word}</span>}
      {verdict.since && !said && <span title={instant(verdict.since)}>since {clock(verdict.since, zone)}</span>}
      {snapshot.compareNote && !verdict.text.includes(snapshot.compareNote) && <span>{say(snapshot.compareNote)}</span>}
    </p>
  )
}
