import type { LargeAnswer } from './large-answer.ts'
import { partsOfAnswer } from './large-answer-parts.ts'

/** Reads large answers away from the thread that draws. */
self.addEventListener('message', ({ data: { id, path, bytes } }: MessageEvent<LargeAnswer>) => {
  for (const part of partsOfAnswer(path, bytes)) self.postMessage({ id, part })
})
