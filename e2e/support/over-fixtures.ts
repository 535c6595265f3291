import { test } from '@playwright/test'
import { startFixtureWeb } from './fixture-web.ts'

/** Serves the built page over a scene's fixed answers while the tests of a file run; hands back its origin. */
export function overFixtures(scene: string): { readonly origin: string } {
  let web: Awaited<ReturnType<typeof startFixtureWeb>> | undefined
  test.beforeAll(async () => {
    web = await startFixtureWeb(scene)
  })
  test.afterAll(() => web?.stop())
  return {
    get origin() {
      if (web === undefined) throw new Error('nothing is served before the tests run')
      return web.url
    },
  }
}
