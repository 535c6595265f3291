import express, { type Express } from 'express'
import { LINKS_PATH, type MadeLink, NewLink, readCode, type SavedLink } from '../contract/index.ts'
import { type Entry, LinkRefused, type LinkStore } from '../links/link-store.ts'
import { type Asked, collectEvidence } from './evidence.ts'
import { fromOurPages } from './from-our-pages.ts'
import { abortOnLeave, invalidRequest } from './mount.ts'
import { time, timeOrNull } from './present-golden.ts'
import { HttpProblem } from './problem.ts'
import { sendJson } from './send-json.ts'

const MOST_BODY_BYTES = 32_768
const STATUS = { full: 507, tooLarge: 413, tooMany: 429 } as const

interface LinksDeps extends Asked {
  readonly links: LinkStore
}

/** `POST /api/v1/links`: makes a short link, or saves what a page shows. The rest of the contract is read-only. */
export function mountLinks(app: Express, deps: LinksDeps): void {
  const body = express.json({ limit: MOST_BODY_BYTES, type: 'application/json' })
  app.post(LINKS_PATH, fromOurPages, body, async (request, response) => {
    response.locals.route = LINKS_PATH
    const wanted = readBody(request.body)
    const made = await make(wanted, deps, abortOnLeave(response))
    response.status(201)
    await sendJson(request, response, made)
  })
  app.all(LINKS_PATH, (request, response) => {
    response.set('allow', 'POST')
    const detail = `${request.method} is not possible here; use POST`
    throw new HttpProblem({ status: 405, type: '/problems/method-not-allowed', title: 'Method not allowed', detail })
  })
}

/** Where a code leads, for `GET /api/v1/links/CODE`. */
export function linkHandler(links: Pick<LinkStore, 'find'>) {
  return async ({ params }: { readonly params: Readonly<Record<string, string>> }): Promise<SavedLink> => {
    const code = readCode(params.code ?? '')
    const entry = code === null ? null : await links.find(code)
    if (entry === null) {
      const detail = `nobody made the link ${(params.code ?? '').slice(0, 20)} here, or it was deleted`
      throw new HttpProblem({ status: 404, type: '/problems/no-such-link', title: 'No such link', detail })
    }
    return presentEntry(entry)
  }
}

function readBody(body: unknown): NewLink {
  const parsed = NewLink.safeParse(body)
  if (parsed.success) return parsed.data
  throw invalidRequest(
    parsed.error.issues.map(({ path, message }) => ({ pointer: `/${path.join('/')}`, detail: message })),
  )
}

async function make(
  { kind, address, title }: NewLink,
  { links, ...asked }: LinksDeps,
  signal: AbortSignal,
): Promise<MadeLink> {
  const evidence = kind === 'link' ? null : await collectEvidence(asked, address, signal)
  try {
    const entry = await links.make({
      kind,
      title,
      address: evidence?.address ?? address,
      snapshotAtSeconds: evidence === null ? null : Date.parse(evidence.at) / 1_000,
      verdict: evidence?.verdict ?? null,
      answers: evidence?.answers ?? null,
      leftOut: evidence?.leftOut ?? [],
    })
    const { code, leftOut, expiresAtSeconds } = entry
    return {
      code,
      path: `/s/${code}`,
      expiresAt: timeOrNull(expiresAtSeconds),
      durable: links.durable,
      leftOut: [...leftOut],
    }
  } catch (error) {
    if (!(error instanceof LinkRefused)) throw error
    const { reason, message } = error
    throw new HttpProblem({
      status: STATUS[reason],
      type: '/problems/no-link-made',
      title: 'No link made',
      detail: message,
    })
  }
}

function presentEntry({ createdAtSeconds, expiresAtSeconds, snapshotAtSeconds, leftOut, ...entry }: Entry): SavedLink {
  return {
    ...entry,
    createdAt: time(createdAtSeconds),
    expiresAt: timeOrNull(expiresAtSeconds),
    snapshotAt: timeOrNull(snapshotAtSeconds),
    leftOut: [...leftOut],
  }
}

/** For the title of a page that is opened by a code. */
export async function entryOf(links: Pick<LinkStore, 'find'>, text: string): Promise<Entry | null> {
  const code = readCode(text)
  return code === null ? null : links.find(code)
}
