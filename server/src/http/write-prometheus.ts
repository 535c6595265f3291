import { once } from 'node:events'
import type { Response } from 'express'
import { type ReadAnswer, rowText } from '../federation/read-api/read-answer.ts'
import type { ReadFailure } from '../federation/read-api/read-failure.ts'

/** Written at once; between two pieces others get their turn. */
const PIECE_CHARACTERS = 256 * 1_024

/** The envelope of Prometheus' API. A large answer is made into text as fast as the client takes it. */
export async function writeAnswer(
  response: Response,
  { head, rows, tail, warnings, infos }: ReadAnswer,
): Promise<void> {
  response.status(200).set('cache-control', 'no-store').type('application/json')
  let piece = `{"status":"success","data":${head}`
  for (const [index, row] of rows.entries()) {
    piece += `${index === 0 ? '' : ','}${rowText(row)}`
    if (piece.length < PIECE_CHARACTERS) continue
    if (!response.write(piece)) await drained(response)
    else await new Promise((resolve) => setImmediate(resolve))
    if (response.destroyed) return
    piece = ''
  }
  const told = [
    ...(warnings.length === 0 ? [] : [`,"warnings":${JSON.stringify(warnings)}`]),
    ...(infos.length === 0 ? [] : [`,"infos":${JSON.stringify(infos)}`]),
  ]
  response.end(`${piece}${tail}${told.join('')}}`)
}

export function writeFailure(response: Response, { status, errorType, message }: ReadFailure): void {
  response
    .status(status)
    .set('cache-control', 'no-store')
    .type('application/json')
    .end(JSON.stringify({ status: 'error', errorType, error: message }))
}

/** The client took what was written, or is gone. */
function drained(response: Response): Promise<unknown> {
  const given = new AbortController()
  const ends = [once(response, 'drain', given), once(response, 'close', given)]
  return Promise.race(ends)
    .catch(() => undefined)
    .finally(() => given.abort())
}
