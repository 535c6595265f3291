/**
 * A process of its own that asks for one URL, one request after the other, and prints how long each took: seconds, as a
 * JSON array. The process of the bench holds what was measured before; asked from there, behind "cold", the slowest
 * hundredth took 5 to 8 ms while no other process ran, and half of that from here.
 */
import { createAgent, pass } from './ask.ts'

/** What it is told, as JSON in its first argument. */
export interface WarmJob {
  readonly url: string
  /** Of a body that it has already; null: it wants the body. */
  readonly etag: string | null
  readonly requests: number
  /** It stops after so long, however few it made. */
  readonly limitMs: number
}

async function timed({ url, etag: known, requests, limitMs }: WarmJob): Promise<number[]> {
  const agent = createAgent()
  const wanted = known === null ? 200 : 304
  const seconds: number[] = []
  let etag = known
  const giveUpAt = performance.now() + limitMs
  while (seconds.length < requests && performance.now() < giveUpAt) {
    const got = await pass(agent, url, etag === null ? {} : { 'if-none-match': etag })
    // Another snapshot may fall due meanwhile: its first answer is not one that is held.
    if (got.status === 200 && etag !== null) etag = String(got.headers.etag)
    else if (got.status === wanted) seconds.push(got.seconds)
    else throw new Error(`a warm request was answered with ${got.status}, not ${wanted}`)
  }
  agent.destroy()
  return seconds
}

process.stdout.write(JSON.stringify(await timed(JSON.parse(process.argv[2] ?? '') as WarmJob)))
