import express, { type Express, type Response } from 'express'
import { type WallNote, WallNoteRequest } from '../contract/index.ts'
import type { Note, NoteStore } from '../links/note-store.ts'
import { callerIn } from './guard.ts'
import { invalidRequest } from './mount.ts'
import { time } from './present-golden.ts'

const PATH = '/api/v1/wall/note'

export interface WallNoteDeps {
  readonly notes: NoteStore
  /** Unix seconds. */
  readonly clock: () => number
}

/** Whether somebody is on it: one note for all walls, which ends by itself. Walls' own tokens cannot write one. */
export function mountWallNote(app: Express, { notes, clock }: WallNoteDeps): void {
  app.get(PATH, async (_request, response) => send(response, { note: shown(await notes.read()) }))
  // What says it is JSON, other pages cannot send.
  app.put(PATH, express.json({ limit: '10kb', strict: true }), async (request, response) => {
    const parsed = WallNoteRequest.safeParse(request.body)
    if (!parsed.success)
      throw invalidRequest(
        parsed.error.issues.map(({ path, message }) => ({ pointer: `/body/${path.join('/')}`, detail: message })),
      )
    const caller = callerIn(response)
    const by = parsed.data.by ?? (caller?.kind === 'person' ? caller.name : undefined)
    if (by === undefined) throw invalidRequest([{ pointer: '/body/by', detail: 'say who is on it' }])
    const note = { text: parsed.data.text, by, untilSeconds: Math.floor(clock()) + parsed.data.minutes * 60 }
    await notes.write(note)
    send(response, { note: shown(note) })
  })
  app.delete(PATH, async (_request, response) => {
    await notes.write(null)
    response.locals.route = PATH
    response.status(204).end()
  })
}

function shown(note: Note | null): WallNote | null {
  return note === null ? null : { text: note.text, by: note.by, until: time(note.untilSeconds) }
}

function send(response: Response, answer: { note: WallNote | null }): void {
  response.locals.route = PATH
  response.set('cache-control', 'no-store').json(answer)
}
