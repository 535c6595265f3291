// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { LinePlot } from './line-plot.tsx'
import { LineTable } from './line-table.tsx'

afterEach(cleanup)

const plotted = (values: readonly (number | null)[], markAtMs: number) => {
  const lines = [{ id: 'a', label: 'A', atMs: values.map((_, at) => at * 10), values, colour: 'red' }]
  const marks = [{ atMs: markAtMs, label: 'changed' }]
  const { container } = render(
    <LinePlot {...{ lines, marks }} width={500} fromMs={0} toMs={100} zone="utc" print={String} label="plot" />,
  )
  const pathOf = (name: string) => container.querySelector(`path.${name}`)?.getAttribute('d') ?? ''
  return {
    line: pathOf('line-plot-line'),
    dots: pathOf('line-plot-dots'),
    text: container.querySelector('.line-plot-mark text'),
  }
}

test('a point that stands alone is a dot, and no line leads over what was not measured', () => {
  const { line, dots } = plotted([1, 2, null, 3, null, 4, 5], 0)
  expect(line.match(/M/g)).toHaveLength(2)
  expect(line.match(/L/g)).toHaveLength(2)
  expect(dots.match(/M/g)).toHaveLength(1)
  expect(plotted([7], 0)).toMatchObject({ line: '', dots: expect.stringMatching(/^M/) })
})

test('over days both ends say their day, and so does a row of the table', async () => {
  const [fromMs, toMs] = [Date.UTC(2026, 10, 14, 14, 0), Date.UTC(2026, 10, 21, 14, 0)]
  const lines = [{ id: 'a', label: 'A', atMs: [fromMs, toMs], values: [1, 2], colour: 'red' }]
  const { container } = render(
    <>
      <LinePlot {...{ lines, fromMs, toMs }} width={500} zone="utc" print={String} label="plot" />
      <LineTable title="t" file="f" lines={lines} zone="utc" print={String} />
    </>,
  )
  const ticks = [...container.querySelectorAll('.plot-time')].map(({ textContent }) => textContent)
  expect(ticks).toEqual(['14 Nov 14:00', '18 Nov 02:00', '21 Nov 14:00'])
  fireEvent.click(screen.getByText('View as table'))
  const rows = await screen.findAllByRole('rowheader')
  expect(rows.map(({ textContent }) => textContent)).toEqual(['21 Nov 14:00', '14 Nov 14:00'])
})

test.each([
  [10, null],
  [95, 'end'],
])('what a mark at %i %% says lies inside of the plot', (atMs, anchor) => {
  expect(plotted([1, 2], atMs).text?.getAttribute('text-anchor')).toBe(anchor)
})
