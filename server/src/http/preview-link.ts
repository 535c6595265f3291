import { createHmac, timingSafeEqual } from 'node:crypto'

/** Where pictures for previews of links are; open to everybody who has a signed address. */
export const PREVIEW_PATH = '/preview.png'

/** What stands in a picture. */
export interface PreviewText {
  readonly title: string
  readonly description: string
}

/**
 * The address of a picture that shows these words. Its words are in the address, so that it shows the same for ever
 * and tells nobody what came later; only who has the key can make one, so that nobody puts other words under this name.
 * `base`: how others reach this Goldseam, without a slash at the end.
 */
export function previewAddress(base: string, key: string, text: PreviewText): string {
  const query = new URLSearchParams({ t: text.title, d: text.description, s: signatureOf(key, text) })
  return `${base}${PREVIEW_PATH}?${query}`
}

/** The words of a signed address; null when it was not signed with this key, word for word. */
export function signedText(key: string, query: URLSearchParams): PreviewText | null {
  const [title, ...moreTitles] = query.getAll('t')
  const [description, ...moreDescriptions] = query.getAll('d')
  if (title === undefined || description === undefined || moreTitles.length + moreDescriptions.length > 0) return null
  const expected = Buffer.from(signatureOf(key, { title, description }))
  const told = Buffer.from(query.get('s') ?? '')
  return told.length === expected.length && timingSafeEqual(told, expected) ? { title, description } : null
}

function signatureOf(key: string, { title, description }: PreviewText): string {
  // As JSON: where one text ends and the other begins is signed, too.
  return createHmac('sha256', key)
    .update(JSON.stringify([PREVIEW_PATH, title, description]))
    .digest('base64url')
}
