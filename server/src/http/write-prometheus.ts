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
  const drained = waiterFor(response)
  let piece = `{"status":"success","data":${head}`
  for (const [index, row] of rows.entries()) {
    piece += `${index === 0 ? '' : ','}${rowText(row)}`
    if (piece.length < PIECE_CHARACTERS) continue
    if (!response.write(piece)) await drained()
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

/**
 * Waits until the client took what was written, or is gone. One pair of listeners for the whole answer: middleware that
 * compresses has those for 'drain' added to its own stream, but they are removed from the response.
 */
function waiterFor(response: Response): () => Promise<void> {
  let wake = (): void => undefined
  for (const event of ['drain', 'close']) response.on(event, () => wake())
  return () =>
    new Promise((resolve) => {
      wake = resolve
    })
}
