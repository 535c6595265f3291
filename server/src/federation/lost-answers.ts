import { isHopeless, UpstreamError } from '../prometheus/upstream-error.ts'
import type { Answered } from './ask-now.ts'
import type { LastTold } from './last-told.ts'
import type { Reading } from './reading.ts'

/** Tells of one cluster whether an answer is one, given what was answered in full a while ago. */
export class LostAnswers {
  /** Questions that brought something when they were last believed. */
  readonly #had = new Set<string>()

  /** Why it is none; null: it stands, and is what the next ones are held against. */
  reasonOf(
    answered: Answered,
    last: Pick<LastTold, 'goodOf' | 'wholeAt' | 'goodForSeconds'>,
    { atSeconds, windowSeconds }: Pick<Reading, 'atSeconds' | 'windowSeconds'>,
  ): UpstreamError | null {
    const { goodForSeconds } = last
    const good = last.goodOf(windowSeconds)
    const isYoung = (thenSeconds: number | null) => thenSeconds !== null && atSeconds - thenSeconds <= goodForSeconds
    // A question that was not answered for so long is not waited for: it would hide what the others tell.
    const half = isYoung(last.wholeAt(windowSeconds)) ? brokenDown(answered) : null
    const broken = half ?? (isYoung(good?.atSeconds ?? null) ? this.#gone(answered) : null)
    const lost = broken ?? (answered.seriesRead === 0 ? emptied(answered, good, atSeconds, goodForSeconds) : null)
    if (lost === null) this.#learn(answered)
    return lost
  }

  /**
   * A store that goes while it is asked: a question that looks twice brings what it found before, and says that the store
   * does not answer, so that others that bring nothing look as if they had been answered without it. Of a replica that
   * is down the other one has what there was.
   */
  #gone({ questions = [] }: Answered): UpstreamError | null {
    return questions.find(({ name, doubt }) => doubt !== null && this.#had.has(name))?.doubt ?? null
  }

  #learn({ questions = [] }: Answered): void {
    for (const { name, series } of questions) {
      if (series > 0) this.#had.add(name)
      else this.#had.delete(name)
    }
  }
}

/**
 * What an answer without any series means, where there were some at most `lastGoodForSeconds` ago: series stay for a
 * while when traffic ends. If all go at once, then what holds them went: a Thanos Query whose stores are down answers
 * with nothing, and often without a warning. Null where nothing is lost.
 */
function emptied(
  { failures }: Answered,
  lastGood: { readonly seriesRead: number; readonly atSeconds: number } | null,
  atSeconds: number,
  lastGoodForSeconds: number,
): UpstreamError | null {
  if (lastGood === null || lastGood.seriesRead === 0) return null
  if (atSeconds - lastGood.atSeconds > lastGoodForSeconds) return null
  // What failed says why; the rest may well have had nothing to tell.
  const [failed] = failures
  if (failed !== undefined) return failed.error
  const lost = `it answers, but has none of the ${lastGood.seriesRead} series it had`
  return new UpstreamError('empty', `${lost}; look at what it reads from (stores, data directory)`)
}

/**
 * An endpoint that went away between the first question and the last leaves half an answer: then the last good values
 * stand in as a whole. Null where there is no such case. Running out of time is none: a question that takes too long
 * each time must not hide what the others tell.
 */
function brokenDown({ failures }: Answered): UpstreamError | null {
  return failures.find(({ error }) => isHopeless(error) && error.kind !== 'timeout')?.error ?? null
}
