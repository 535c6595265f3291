// @vitest-environment jsdom
import { fireEvent, render } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useKey } from './use-key.ts'

function Listening({ act }: { readonly act: () => void }) {
  useKey('g t', act)
  return null
}

function press(key: string, atMs: number) {
  const event = new KeyboardEvent('keydown', { key, bubbles: true })
  Object.defineProperty(event, 'timeStamp', { value: atMs })
  fireEvent(document.body, event)
}

test('two keys are a sequence by when they were pressed, however late a busy page gets to them', () => {
  const act = vi.fn()
  const now = vi.spyOn(Date, 'now')
  render(<Listening act={act} />)
  press('g', 1_000)
  now.mockReturnValue(Date.now() + 60_000)
  press('t', 1_300)
  expect(act).toHaveBeenCalledTimes(1)
  press('g', 2_000)
  press('t', 4_000)
  expect(act).toHaveBeenCalledTimes(1)
  now.mockRestore()
})
