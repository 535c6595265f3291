import base from '../playwright.config.ts'

const { launchOptions } = base.use ?? {}

/** A browser that draws letters the same whatever the machine prefers; for `use`. */
export const steadyLetters = {
  launchOptions: {
    ...launchOptions,
    args: [
      ...(launchOptions?.args ?? []),
      ...['--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb'],
    ],
  },
}
