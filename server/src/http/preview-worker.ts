import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { initWasm, Resvg } from '@resvg/resvg-wasm'

/** Draws pictures in a thread of its own: one takes some 100 ms, for which nobody else may wait. */
export type DrawOutcome = { readonly png: Uint8Array } | { readonly crash: string }

const require = createRequire(import.meta.url)
const file = (name: string) => readFile(require.resolve(name))

async function start(): Promise<Uint8Array[]> {
  await initWasm(await file('@resvg/resvg-wasm/index_bg.wasm'))
  // The machine may have no fonts at all; a container has none.
  return Promise.all([400, 600].map((weight) => file(`@fontsource/inter/files/inter-latin-${weight}-normal.woff2`)))
}

const ready = start()
// Told to whoever asks for a picture; unhandled it would end the whole process.
ready.catch(() => undefined)

parentPort?.on('message', async (svg: string) => {
  try {
    const options = { font: { fontBuffers: await ready, defaultFontFamily: 'Inter' } }
    const resvg = new Resvg(svg, options)
    const image = resvg.render()
    const png = image.asPng()
    image.free()
    resvg.free()
    parentPort?.postMessage({ png } satisfies DrawOutcome)
  } catch (error) {
    parentPort?.postMessage({ crash: error instanceof Error ? error.message : String(error) } satisfies DrawOutcome)
  }
})
