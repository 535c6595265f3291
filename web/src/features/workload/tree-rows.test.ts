import { expect, test } from 'vitest'
import { A, C, D, X } from '../../../test/incident.ts'
import { detail } from '../../../test/incident-detail.ts'
import { scenes } from '../../../test/scenes.ts'
import { readOpen, toggleMark, treeRows } from './tree-rows.ts'
import type { Expand } from './tree-search.ts'

function shape(open = '', expand: Expand = 'suspects'): string[] {
  return treeRows(detail.dependencies, readOpen(open), expand).map((row) => {
    const indent = '  '.repeat(row.level)
    if (row.kind === 'fold') return `${indent}${row.nodes.length} folded`
    if (row.kind === 'ledger') return `${indent}ledger ${row.edge.to}`
    return `${indent}${row.node.id.split('/').at(-1)}`
  })
}

test('the tree opens along the way to the suspect and folds the rest with a count', () => {
  expect(shape()).toEqual([
    'storefront',
    '  catalog',
    '    rules',
    '      ledger',
    '      2 folded',
    '  pricing',
    '    rules',
    '  rules',
    '  3 folded',
  ])
})

test('what is opened and closed by hand is kept', () => {
  const rows = shape(`-${A},*${X}`)
  expect(rows.slice(0, 5)).toEqual(['storefront', '  catalog', '  pricing', '    rules', '  rules'])
  expect(rows.slice(5).sort()).toEqual(['  cart', '  outside:api.payments.example:443', '  sessions'])
  expect(shape(`*${C}`)).toContain('      render')
})

test('it opens as far as one likes, and a row by hand all the same', () => {
  expect(shape('', 'calls')).toEqual(['storefront', ...shape(`*${X}`, 'calls').slice(1)])
  expect(shape('', 'calls').filter((row) => row.startsWith('    '))).toEqual([])
  expect(shape('', 'all').filter((row) => row.includes('folded'))).toEqual([])
  expect(shape('', 'all')).toContain('      render')
  expect(shape(A, 'calls')).toContain('    rules')
  expect(shape(`-${A}`, 'all')).not.toEqual(shape('', 'all'))
  // Two calls of the rules are well: they stay folded where only trouble is looked for.
  expect(shape('', 'trouble')).toContain('      2 folded')
  expect(shape('', 'trouble')).toContain('      ledger')
})

test('a seam opens to its ledger, right under its row', () => {
  const rows = shape(`${X}~${A}`)
  expect(rows[rows.indexOf('  catalog') + 1]).toBe(`  ledger ${A}`)
})

test('without a suspect the first level is shown and nothing deeper', () => {
  const rows = treeRows(scenes.quiet.detail.dependencies, readOpen(''))
  expect(Math.max(...rows.map(({ level }) => level))).toBe(1)
  expect(rows.some(({ kind }) => kind === 'fold')).toBe(false)
})

test('the suspect is one of the rows, without a click', () => {
  expect(
    treeRows(detail.dependencies, readOpen('')).some(
      (row) => row.kind === 'node' && row.node.suspect && row.node.id === D,
    ),
  ).toBe(true)
})

test('it opens down to what a link marks, be it folded or below what is closed by itself', () => {
  const marked = (sel: string, expand: Expand) =>
    treeRows(detail.dependencies, readOpen(''), expand, sel).filter((row) => row.kind === 'node' && row.selected)
  const [render, ...others] = marked('west/stock/render', 'calls')
  expect(others).toEqual([])
  expect(render).toMatchObject({ level: 3, way: [A, C, 'west/stock/render'], last: false })
  expect(marked(C, 'suspects')).toHaveLength(1)
  // The rules are called by three: one call of them is one row.
  expect(marked(`${X}~${C}`, 'suspects')).toMatchObject([{ level: 1, node: { id: C } }])
  expect(marked('west/stock/nobody', 'all')).toEqual([])
  expect(treeRows(detail.dependencies, readOpen(`-${A}`), 'suspects', C).length).toBe(
    treeRows(detail.dependencies, readOpen(`-${A}`)).length,
  )
})

test('a mark is set and taken away again', () => {
  expect(toggleMark(readOpen(''), A)).toBe(A)
  expect(toggleMark(readOpen(`${A},${C}`), A)).toBe(C)
})
