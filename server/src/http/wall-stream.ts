import type { Express, Response } from 'express'
import { WallQuery } from '../contract/index.ts'
import type { Part } from '../domain/verdict-within.ts'
import { invalidRequest, refuseOtherMethods } from './mount.ts'
import type { HttpProblem } from './problem.ts'
import { listOf, unknownCluster } from './scope-of.ts'
import type { WallHub } from './wall-hub.ts'
import type { WallScope } from './wall-scene.ts'

/** So that proxies do not take a quiet stream for a dead one. */
const BEAT_MS = 15_000
/** So long a stream that is ended is waited for. */
const END_MS = 1_000
/** A wall that reads so slowly is cut off; it comes again by itself. */
const MOST_BUFFERED_BYTES = 16 * 1_024 * 1_024

export const WALL_STREAM_PATH = '/api/v1/wall/stream'

export interface WallStreamDeps {
  readonly hub: WallHub
  /** False while draining: walls are sent elsewhere. */
  readonly isReady: () => boolean
  /** Names that a scope may hold; null: not all are known. */
  readonly clusterNames: () => readonly string[] | null
  /** What this wall may show at most. */
  readonly limitOf: (response: Response) => Part
}

/** One stream of server-sent events a wall: `frame` with each new snapshot, a comment as a beat. */
export function mountWallStream(app: Express, { hub, isReady, clusterNames, limitOf }: WallStreamDeps): void {
  app.get(WALL_STREAM_PATH, (request, response) => {
    response.locals.route = WALL_STREAM_PATH
    const parsed = WallQuery.safeParse(request.query)
    if (!parsed.success)
      throw invalidRequest(
        parsed.error.issues.map(({ path, message }) => ({ pointer: `/query/${path.join('/')}`, detail: message })),
      )
    const asked = { clusters: listOf(parsed.data.c), namespaces: listOf(parsed.data.ns) }
    const limit = limitOf(response)
    const problem = strangeCluster(asked.clusters, limit.clusters, clusterNames())
    if (problem !== null) throw problem
    const scope = within(asked, limit)
    response.status(200).set({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      // nginx would hold back what is not a whole buffer.
      'x-accel-buffering': 'no',
    })
    response.flushHeaders()
    // What is written to an ended stream is an error, which nobody catches: the process would end with it.
    const write = (text: string) => {
      if (response.writableEnded || response.destroyed) return
      response.write(text)
      if (response.writableLength > MOST_BUFFERED_BYTES) response.destroy()
    }
    const leave = hub.watch(scope, ({ json }) => write(`event: frame\ndata: ${json}\n\n`))
    let quietMs = 0
    const beat = setInterval(() => {
      // A token may be revoked while its wall looks on.
      if (!isReady() || !stillAllowed(response)) {
        clearInterval(beat)
        leave()
        response.end()
        // A wall that does not read would never see the end.
        setTimeout(() => response.destroy(), END_MS).unref()
        return
      }
      quietMs += 1_000
      if (quietMs < BEAT_MS) return
      quietMs = 0
      write(': beat\n\n')
    }, 1_000)
    response.on('close', () => {
      clearInterval(beat)
      leave()
    })
  })
  refuseOtherMethods(app, WALL_STREAM_PATH)
}

function stillAllowed({ locals }: Response): boolean {
  return (locals.stillAllowed as (() => boolean) | undefined)?.() !== false
}

/** What is asked for, as far as it is allowed. */
function within(asked: Part, limit: Part): WallScope {
  return {
    limit,
    clusters: both(asked.clusters, limit.clusters),
    namespaces: both(asked.namespaces, limit.namespaces),
  }
}

/**
 * What keeps it from being shown. A screen learns of no cluster beyond its limit, not even whether there is one: its
 * address may name some, which are left out, but not nothing else.
 */
function strangeCluster(
  asked: ReadonlySet<string> | null,
  limit: ReadonlySet<string> | null,
  names: readonly string[] | null,
): HttpProblem | null {
  const known = limit === null ? names : (names?.filter((name) => limit.has(name)) ?? null)
  const shown = [...(both(asked, limit) ?? [])]
  for (const name of asked === null ? [] : shown.length > 0 ? shown : asked) {
    const problem = unknownCluster(name, known)
    if (problem !== null) return problem
  }
  return null
}

function both(asked: ReadonlySet<string> | null, limit: ReadonlySet<string> | null): ReadonlySet<string> | null {
  if (asked === null || limit === null) return asked ?? limit
  return new Set([...asked].filter((name) => limit.has(name)))
}
