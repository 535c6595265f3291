import type { Told } from './api.ts'
import { object, readEnvelope } from './envelope.ts'
import { type AnswerHead, textOf } from './read-answer.ts'
import { longestScrapeInterval } from './scrape-interval.ts'

/**
 * The longest scrape interval of a running config, in seconds; null where it tells none. Apart from other answers because
 * of the YAML: a thread that reads none need not hold what reads it. Throws `UpstreamError`.
 */
export function readConfig(head: AnswerHead, body: Uint8Array): Told<number | null> {
  const { data, ...told } = readEnvelope({ ...head, text: textOf(head, body) })
  const { yaml } = object(data, 'data')
  return { ...told, data: typeof yaml === 'string' ? longestScrapeInterval(yaml) : null }
}
