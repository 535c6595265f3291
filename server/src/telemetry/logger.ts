import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger } from 'pino'

/** Fields that may carry a secret, wherever someone puts them into a log line by mistake. */
const SECRET_FIELDS = ['authorization', 'cookie', 'password', 'token', 'bearerToken', 'secret']

/** One JSON line per event on `destination` (standard error unless told). Fields known to be secret are blanked. */
export function createLogger(options: { level: string; build?: string }, destination?: DestinationStream): Logger {
  const redact = {
    paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
    censor: '[redacted]',
  }
  const base = options.build === undefined ? {} : { build: options.build }
  const settings = { level: options.level, base, redact, timestamp: pino.stdTimeFunctions.isoTime }
  return pino(settings, destination ?? pino.destination({ fd: 2, sync: true }))
}
