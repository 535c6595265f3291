import { expect, type Locator } from '@playwright/test'

/** The font that the pages bring along is there where the system has none of those before it, and only there. */
export async function expectOwnFontOnlyWhereNeeded(root: Locator): Promise<void> {
  const { before, own } = await root.evaluate(async (html) => {
    await document.fonts.ready
    const context = document.createElement('canvas').getContext('2d')
    const widthIn = (families: string) => {
      if (context !== null) context.font = `100px ${families}`
      return context?.measureText('mmmiii').width
    }
    // The last two are our own and whatever there is.
    const named = getComputedStyle(html).getPropertyValue('--font').split(/,\s*/).slice(0, -2)
    return {
      before: named.filter((name) => widthIn(`${name}, monospace`) === widthIn(`${name}, serif`)),
      own: [...document.fonts].map(({ status }) => status),
    }
  })
  expect(own, `the system's: ${before.join(', ')}`).toEqual([before.length > 0 ? 'unloaded' : 'loaded'])
}
