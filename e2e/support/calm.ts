import { loadavg } from 'node:os'
import { expect, type FrameLocator } from '@playwright/test'

const LOOK_EVERY_MS = 2_000
const LAST_SAID = 5

/**
 * Waits until Goldseam itself sees calm and the wall says so at the same time. Where it does not come, fails with what
 * was said instead, and with the load: on a machine that is busy with other work the demo's services are slow in truth.
 */
export async function untilCalm(goldseam: string, wall: FrameLocator, timeout: number): Promise<void> {
  const said: string[] = []
  const story = () => `load ${loadavg()[0]?.toFixed(1)}; ${said.slice(-LAST_SAID).join(' | ')}`
  await expect(async () => {
    const answer = await fetch(`${goldseam}/api/v1/fleet`)
    const { verdict } = (await answer.json()) as { verdict: { form: string; text: string } }
    if (said.at(-1) !== verdict.text) said.push(verdict.text)
    expect(verdict.form, story()).toBe('quiet')
    await expect(wall.getByRole('heading', { name: 'All quiet' })).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout, intervals: [LOOK_EVERY_MS] })
}
