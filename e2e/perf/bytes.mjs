import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ROOT } from '../../scripts/paths.mjs'

const DIST = join(ROOT, 'web/dist')

const compressed = (path) => gzipSync(readFileSync(join(DIST, path)), { level: 9 }).length

/** Compressed bytes of the files with this ending that a page names itself. */
function named(page, ending) {
  const html = readFileSync(join(DIST, page), 'utf8')
  const paths = new Set([...html.matchAll(/\/(assets\/[\w.-]+)/g)].map(([, path]) => path))
  return [...paths].filter((path) => path.endsWith(ending)).reduce((sum, path) => sum + compressed(path), 0)
}

/** The newest one of a name: those of earlier builds stay for pages that are still open. */
function chunk(start) {
  const [newest] = readdirSync(join(DIST, 'assets'))
    .filter((name) => name.startsWith(start) && name.endsWith('.js'))
    .sort((a, b) => ageOf(a) - ageOf(b))
  return compressed(`assets/${newest}`)
}

const ageOf = (name) => -statSync(join(DIST, 'assets', name)).mtimeMs

/** What is downloaded, against what ux asks for: `[what, bytes, at most]`. */
export function bytesTable() {
  return [
    ['scripts of the first look at the fleet', named('index.html', '.js'), 170_000],
    ['styles of it', named('index.html', '.css'), 12_000],
    ['page of a workload with its charts, on top', chunk('workload-screen'), 120_000],
    ['editor and PromQL of Explore, on top', chunk('explore-screen'), 170_000],
    ['scripts of the wall', named('wall-app.html', '.js'), 110_000],
  ]
}
