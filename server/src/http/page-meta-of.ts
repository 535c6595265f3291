import type { SnapshotEngine } from '../federation/engine.ts'
import type { LinkStore } from '../links/link-store.ts'
import { entryOf } from './links-api.ts'
import { type KnownVerdict, pageMeta } from './page-meta.ts'
import type { PreviewImages } from './preview-image.ts'
import type { MetaOf } from './web-files.ts'

/** Previews from the newest snapshot that there is, and from the store. No cluster is asked for one. */
export function createMetaOf(
  engine: Pick<SnapshotEngine, 'newest'>,
  links: Pick<LinkStore, 'find'>,
  images: PreviewImages | null,
): MetaOf {
  return async (url) => {
    const code = /^\/s\/([^/]+)$/.exec(url.pathname)?.[1] ?? url.searchParams.get('saved')
    const entry = code === null || code === undefined ? null : await entryOf(links, code)
    const meta = pageMeta(url, knownVerdict(engine), entry)
    return images === null ? meta : { ...meta, image: await images.addressOf(meta) }
  }
}

function knownVerdict(engine: Pick<SnapshotEngine, 'newest'>): KnownVerdict | null {
  const newest = engine.newest()
  if (newest === null) return null
  const { verdict, judgement, atSeconds } = newest
  const named = [verdict.subject, verdict.suspect, ...judgement.suspects.flatMap(({ path }) => path)]
  return { atSeconds, text: verdict.text, named: named.filter((id) => id !== null) }
}
