import { z } from 'zod'
import { durationSeconds, sizeBytes } from './units.ts'

/** What several places of the file have in common: each refuses with what is expected there. */
export const text = (what: string) => z.string({ error: `${what} is expected here` })

export const fileName = text('the path of a file').min(1, 'the path of a file is expected here')

/** A duration in seconds, within limits. */
export function duration(leastSeconds: number, mostSeconds: number) {
  return text('a duration such as 10s or 5m').transform((value, context) => {
    const seconds = durationSeconds(value)
    if (seconds === null) context.addIssue(`'${value}' is not a duration; write one such as 500ms, 10s, 5m or 1h`)
    else if (seconds < leastSeconds || seconds > mostSeconds)
      context.addIssue(`'${value}' is out of range; use ${leastSeconds}s to ${mostSeconds}s`)
    return seconds ?? Number.NaN
  })
}

/** An http or https URL. Never with credentials: the URL is shown and logged. */
export function httpUrl(what: string, example: string, credentialsGo: string) {
  return text(what).transform((value, context) => {
    if (!URL.canParse(value) || !/^https?:\/\//i.test(value)) {
      context.addIssue(`'${withoutCredentials(value)}' is not an http or https URL; write one such as ${example}`)
      return value
    }
    const url = new URL(value)
    if (url.username !== '' || url.password !== '')
      context.addIssue(`credentials do not belong in the URL; ${credentialsGo}`)
    return value
  })
}

/** So that a password in a malformed URL is not printed. */
export function withoutCredentials(url: string): string {
  // Up to the last @, whatever a password is made of; the scheme is told, because it may be what is wrong.
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1...@')
}

/** A size in bytes, at least 1 KiB. */
export const byteSize = text('a size such as 64MiB').transform((value, context) => {
  const bytes = sizeBytes(value)
  if (bytes === null || bytes < 1_024)
    context.addIssue(`'${value}' is not a size of at least 1KiB; write one such as 64MiB`)
  return Math.floor(bytes ?? 0)
})
