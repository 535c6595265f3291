import type { Express } from 'express'
import { PREVIEW_PATH, type PreviewText, previewAddress, signedText } from './preview-link.ts'
import type { PreviewPainter } from './preview-painter.ts'
import { HttpProblem, notFound } from './problem.ts'

export interface PreviewImages {
  /** The signed address of a picture with these words. */
  addressOf(text: PreviewText): Promise<string>
  /** The words of an address that was signed here; null for any other. */
  textOf(query: URLSearchParams): Promise<PreviewText | null>
  readonly painter: PreviewPainter
}

/** Pictures under `url` (how others reach this Goldseam), signed with what `key` reads. */
export function createPreviewImages(url: string, key: () => Promise<string>, painter: PreviewPainter): PreviewImages {
  return {
    addressOf: async (text) => previewAddress(url, await key(), text),
    textOf: async (query) => signedText(await key(), query),
    painter,
  }
}

/** `GET /preview.png`: for programs that show previews, which can sign in nowhere; the signature lets them in. */
export function mountPreviewImage(app: Express, images: PreviewImages | null): void {
  app.get(PREVIEW_PATH, async (request, response) => {
    response.locals.route = PREVIEW_PATH
    if (images === null) throw notFound('no preview pictures are configured (links.preview)')
    const text = await images.textOf(new URL(request.originalUrl, 'http://page').searchParams)
    if (text === null) throw notSigned()
    const png = await images.painter.paint(text)
    // Its words are in its address.
    response.set('cache-control', 'public, max-age=604800, immutable')
    response.set('cross-origin-resource-policy', 'cross-origin')
    response.type('png').send(Buffer.from(png))
  })
}

function notSigned(): HttpProblem {
  const detail = 'this address was not signed here, or was changed on its way'
  return new HttpProblem({ status: 403, type: '/problems/not-allowed', title: 'Not allowed', detail })
}
