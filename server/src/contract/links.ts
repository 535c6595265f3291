import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Letters and digits that cannot be taken for each other, read aloud or typed off a screen. */
const CODE = /^[0-9A-Za-z]{4,16}$/

/** A short link, or saved evidence: a link with the answers that were on screen. */
export const SavedLink = z
  .object({
    code: z.string(),
    kind: z.enum(['link', 'evidence']),
    /** `expired`: what it was is still known, where it led is not. */
    state: z.enum(['kept', 'expired']),
    title: z.string(),
    /** Path and search of a page of Goldseam; null when expired. */
    address: z.string().nullable(),
    createdAt: z.string(),
    expiresAt: z.string().nullable(),
    /** The instant of the saved answers; null for a short link. */
    snapshotAt: z.string().nullable(),
    /** What the saved answers say in a sentence. */
    verdict: z.string().nullable(),
    /** What did not fit into the saved evidence. */
    leftOut: z.array(z.string()),
  })
  .meta({ id: 'SavedLink' })
export type SavedLink = z.infer<typeof SavedLink>

/** What `POST /api/v1/links` takes. */
export const NewLink = z
  .strictObject({
    kind: z.enum(['link', 'evidence']).default('link'),
    /** Path and search of a page: `/d/west/shop/cart?from=now-1h`. */
    address: z
      .string()
      .max(8_000)
      .regex(/^\/(?![/\\])[^\s\\\p{Cc}]*$/u, 'use the path and search of a page, such as /fleet?from=now-1h'),
    title: z.string().max(200).default(''),
  })
  .meta({ id: 'NewLink' })
export type NewLink = z.infer<typeof NewLink>

export const MadeLink = z
  .object({
    code: z.string(),
    /** `/s/CODE`. */
    path: z.string(),
    expiresAt: z.string().nullable(),
    /** False: kept in memory, gone when the server restarts. */
    durable: z.boolean(),
    leftOut: z.array(z.string()),
  })
  .meta({ id: 'MadeLink' })
export type MadeLink = z.infer<typeof MadeLink>

export const LINKS_PATH = '/api/v1/links'

export const link = endpoint({
  path: `${LINKS_PATH}/:code`,
  summary: 'Where a short link leads, and what it is',
  query: z.object({}).meta({ id: 'LinkQuery' }),
  response: SavedLink,
})

/** A code as people type it: case does not matter. Null for what cannot be one. */
export function readCode(text: string): string | null {
  return CODE.test(text) ? text.toUpperCase() : null
}
