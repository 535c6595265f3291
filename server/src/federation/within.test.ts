import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { within } from './within.ts'

describe('within', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('gives what the work gives in time', async () => {
    expect(await within(2, Promise.resolve('done'))).toBe('done')
  })

  it('gives null once the time is over, and leaves the work to go on', async () => {
    let finish: (what: string) => void = () => {}
    const work = new Promise<string>((resolve) => {
      finish = resolve
    })
    const waited = within(2, work)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await waited).toBeNull()
    finish('late')
    expect(await work).toBe('late')
  })

  it('hands on how the work failed', async () => {
    await expect(within(2, Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  })

  it('leaves no timer behind that would hold what the work gave', async () => {
    await within(120, Promise.resolve('done'))
    await within(120, Promise.reject(new Error('refused'))).catch(() => undefined)
    expect(vi.getTimerCount()).toBe(0)
  })
})
