import { brotliDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLinkStore } from './link-store.ts'
import { memoryStore } from './memory-store.ts'

/** What is kept of answers of these sizes, incompressible, where so many bytes may be. */
async function kept(sizes: readonly number[], maxBytes: number) {
  const store = memoryStore()
  const links = createLinkStore({ store, durable: false, maxCount: 10, maxBytes, keepForSeconds: null, clock: () => 0 })
  const answers = Object.fromEntries(sizes.map((size, index) => [`answer ${index}`, { text: noise(size, index) }]))
  const entry = { kind: 'evidence' as const, address: '/fleet', title: '', snapshotAtSeconds: 1, verdict: null }
  const { code, leftOut } = await links.make({ ...entry, answers })
  const { value } = JSON.parse((await store.get(code)) ?? '') as { value: { answers: string } }
  const bytes = Buffer.from(value.answers, 'base64')
  return { names: Object.keys(answers), leftOut, bytes, read: await links.answers(code), answers }
}

/** Letters that no packer makes much smaller. */
function noise(length: number, seed: number): string {
  let state = seed + 1
  const letters = Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return String.fromCharCode(33 + ((state >> 8) % 90))
  })
  return letters.join('').replaceAll('"', '!').replaceAll('\\', '/')
}

test('as many answers are kept as fit, the first ones, and the others are named', async () => {
  const sizes = fc.array(fc.integer({ min: 10, max: 400 }), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 600, max: 3_000 }), async (given, maxBytes) => {
      const { names, leftOut, bytes, read, answers } = await kept(given, maxBytes)
      const count = names.length - leftOut.length
      expect(leftOut).toEqual(names.slice(count))
      expect(read).toEqual(Object.fromEntries(Object.entries(answers).slice(0, count)))
      expect(JSON.parse(brotliDecompressSync(bytes).toString())).toEqual(read)
      expect(bytes.length).toBeLessThanOrEqual(maxBytes)
      // With one more they would not have fitted.
      const more = leftOut.length > 0 ? await kept(given.slice(0, count + 1), 1_000_000) : null
      if (more !== null) expect(more.bytes.length).toBeGreaterThan(maxBytes)
    }),
    { numRuns: 60 },
  )
})

test('an answer that is too large by itself is refused, and says which setting that is', async () => {
  await expect(kept([5_000, 10], 1_000)).rejects.toThrow(/larger than 1000 bytes, compressed \(links.maxBytes\)/)
})
