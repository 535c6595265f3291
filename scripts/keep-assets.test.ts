import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepAssets } from './keep-assets.mjs'

const DAY_MS = 86_400_000

test('files of earlier builds stay for a week after they were replaced, and no longer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'goldseam-assets-'))
  const [assets, store] = [join(folder, 'assets'), join(folder, 'store')]
  const build = (name: string, nowMs: number) => {
    const after = keepAssets(assets, store, nowMs)
    rmSync(assets, { recursive: true, force: true })
    mkdirSync(assets)
    writeFileSync(join(assets, name), name)
    writeFileSync(join(assets, `${name}.map`), name)
    after()
    return readdirSync(assets).filter((file) => !file.endsWith('.map'))
  }
  try {
    expect(build('a-1.js', 0)).toEqual(['a-1.js'])
    // Replaced thirty days after it was built: the week begins then.
    expect(build('a-2.js', 30 * DAY_MS)).toEqual(['a-1.js', 'a-2.js'])
    expect(build('a-2.js', 36 * DAY_MS)).toEqual(['a-1.js', 'a-2.js'])
    expect(build('a-3.js', 38 * DAY_MS)).toEqual(['a-2.js', 'a-3.js'])
    expect(existsSync(join(assets, 'a-1.js.map'))).toBe(false)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
