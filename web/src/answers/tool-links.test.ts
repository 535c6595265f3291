import { expect, test } from 'vitest'
import { tools } from '../../test/links.ts'
import { hrefOf } from './tool-links.tsx'

const at = (index: number, of: string) => {
  const tool = tools[index]
  return tool ? hrefOf(tool, of, 1_000_000, 2_000_000) : undefined
}

test('a workload, its kind apart from its name, at the time on screen', () => {
  expect(at(0, 'west/shop/statefulset:db')).toBe(
    'https://grafana.example.com/d/golden?var-cluster=west&var-ns=shop&var-name=db&from=1000000&to=2000000',
  )
})

test('only where the config says', () => {
  expect(at(1, 'east/shop/cart')).toBe('https://runbooks.example.com/shop/cart')
  expect(at(1, 'east/pay/tax')).toBeNull()
  expect(at(2, 'west')).toBe('https://viz.example.com/west')
  expect(at(2, 'east')).toBeNull()
  expect(at(0, 'west')).toBeNull()
  expect(at(2, 'west/shop/cart')).toBeNull()
})
