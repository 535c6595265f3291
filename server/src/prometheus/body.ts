import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { UpstreamError } from './upstream-error.ts'

/**
 * Reads a body to its end as UTF-8. Counts bytes after decompression, so that a small body cannot blow up; past
 * `maxBytes` the connection is closed and the promise rejects with `tooLarge`.
 */
export async function readBody(body: Readable, encoding: string, maxBytes: number): Promise<string> {
  const source = encoding === 'gzip' ? body.pipe(createGunzip()) : body
  // `pipe` hands on data, not failures.
  if (source !== body) body.on('error', (error) => source.destroy(error))
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of source) {
      const piece = chunk as Buffer
      bytes += piece.length
      if (bytes > maxBytes)
        throw new UpstreamError(
          'tooLarge',
          `the answer is larger than ${maxBytes} bytes; raise limits.maxResponseBytes or use recording rules`,
        )
      chunks.push(piece)
    }
  } catch (error) {
    if (isZlibError(error)) throw new UpstreamError('malformed', 'the compressed answer is damaged or cut off', error)
    throw error
  } finally {
    body.destroy()
  }
  return Buffer.concat(chunks).toString('utf8')
}

function isZlibError(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code
  return typeof code === 'string' && code.startsWith('Z_')
}
