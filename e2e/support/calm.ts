import { availableParallelism, loadavg } from 'node:os'
import { expect, type FrameLocator } from '@playwright/test'

const LOOK_EVERY_MS = 2_000
const LAST_SAID = 5
/** Programs that want a processor, for each there is: with more, the demo's services are slow in truth. */
const BUSY = 4

/**
 * Waits until Goldseam itself sees calm and the wall says so at the same time: null. Where it does not come, fails with
 * what was said instead; or, on a machine so busy that nothing on it can be calm, tells so.
 */
export async function calmUnlessBusy(goldseam: string, wall: FrameLocator, timeout: number): Promise<string | null> {
  const said: string[] = []
  const story = () => `load ${loadavg()[0]?.toFixed(1)}; ${said.slice(-LAST_SAID).join(' | ')}`
  try {
    await expect(async () => {
      const answer = await fetch(`${goldseam}/api/v1/fleet`)
      const { verdict } = (await answer.json()) as { verdict: { form: string; text: string } }
      if (said.at(-1) !== verdict.text) said.push(verdict.text)
      expect(verdict.form, story()).toBe('quiet')
      await expect(wall.getByRole('heading', { name: 'All quiet' })).toBeVisible({ timeout: 1_000 })
    }).toPass({ timeout, intervals: [LOOK_EVERY_MS] })
    return null
  } catch (error) {
    if ((loadavg()[0] ?? 0) < BUSY * availableParallelism()) throw error
    return `nothing on this machine is calm now: ${story()}`
  }
}
