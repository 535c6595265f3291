import { expect, test } from 'vitest'
import { judge } from '../../src/domain/suspects.ts'
import { dependencyTree, type TreeNode } from '../../src/domain/tree.ts'
import { course, type Given, situationIn } from './incident-world.ts'

const id = (name: string) => `east/shop/${name}`
const calls = (from: string, to: string, rate: number) => ({
  from: id(from),
  to: id(to),
  course: course(rate, 0.02, 0.02),
})

/** x calls a busily, and seven calls on there is y; x also calls y itself, now and then. */
const DEEP: Given = {
  nodes: Object.fromEntries([...'xabcdeyz'].map((name) => [id(name), course(50, 0.05, 0.05)])),
  calls: [
    ...['xa', 'ab', 'bc', 'cd', 'de', 'ey', 'yz'].map(([from = '', to = '']) => calls(from, to, 50)),
    calls('x', 'y', 20),
  ],
}

test('who is cut off at the depth limit is shown in full where it is met nearer to the root', () => {
  const situation = situationIn(DEEP)
  const root = dependencyTree(situation, judge(situation, id('x')), id('x'))
  const met: string[] = []
  const walk = ({ id: one, repeats, truncated, children }: TreeNode) => {
    met.push(`${one.split('/')[2]}${repeats ? ' again' : ''}${truncated ? ' cut' : ''}`)
    for (const child of children) walk(child)
  }
  walk(root)
  expect(met).toEqual(['x', 'a', 'b', 'c', 'd', 'e', 'y cut', 'y', 'z'])
})
