import { Worker } from 'node:worker_threads'
import type { PreviewText } from './preview-link.ts'
import { previewSvg } from './preview-svg.ts'
import type { DrawOutcome } from './preview-worker.ts'
import { HttpProblem } from './problem.ts'

const KEPT = 64
const MOST_WAITING = 16

/** Draws the pictures of previews, one after another, and keeps the latest. */
export interface PreviewPainter {
  /** A PNG. Rejects with 503 while too many wait. */
  paint(text: PreviewText): Promise<Uint8Array>
  close(): Promise<void>
}

/** The thread starts with the first picture. */
export function createPreviewPainter(): PreviewPainter {
  const kept = new Map<string, Promise<Uint8Array>>()
  let worker: Worker | null = null
  let waiting = 0
  let line: Promise<unknown> = Promise.resolve()

  function draw(svg: string): Promise<Uint8Array> {
    worker ??= new Worker(workerFile(), { name: 'preview-painter' }).once('exit', () => {
      worker = null
    })
    const running = worker
    running.unref()
    return new Promise((resolve, reject) => {
      const settle = (outcome: DrawOutcome) => {
        running.off('error', reject)
        running.off('exit', gone)
        if ('png' in outcome) resolve(outcome.png)
        else reject(new Error(outcome.crash))
      }
      const gone = () => reject(new Error('the thread that draws ended'))
      running.once('message', settle)
      running.once('error', reject)
      running.once('exit', gone)
      running.postMessage(svg)
    })
  }

  function inLine(text: PreviewText): Promise<Uint8Array> {
    if (waiting >= MOST_WAITING) throw tooMany()
    waiting += 1
    const drawn = line.then(() => draw(previewSvg(text)))
    line = drawn
      .catch(() => undefined)
      .then(() => {
        waiting -= 1
      })
    return drawn
  }

  return {
    async paint(text) {
      const name = JSON.stringify([text.title, text.description])
      const known = kept.get(name)
      if (known !== undefined) return known
      const drawn = inLine(text)
      kept.set(name, drawn)
      drawn.catch(() => kept.delete(name))
      for (const oldest of kept.keys()) {
        if (kept.size <= KEPT) break
        kept.delete(oldest)
      }
      return drawn
    },
    async close() {
      await worker?.terminate()
    },
  }
}

function tooMany(): HttpProblem {
  const detail = `${MOST_WAITING} pictures are being drawn; ask again in a moment`
  return new HttpProblem({ status: 503, type: '/problems/busy', title: 'Busy', detail })
}

/** Node 20 runs no TypeScript: from sources the built file is taken, which `npm test` makes before it begins. */
function workerFile(): URL {
  const built = import.meta.url.endsWith('.js')
  return new URL(built ? './preview-worker.js' : '../../dist/http/preview-worker.js', import.meta.url)
}
