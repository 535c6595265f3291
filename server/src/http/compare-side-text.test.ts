import { expect, test } from 'vitest'
import { sidePlace } from './compare-side-text.ts'

const nothing = { cluster: null, namespace: null, name: null, version: null, window: null }

test.each([
  ['*', nothing],
  ['east', { ...nothing, cluster: 'east' }],
  ['cluster:east', { ...nothing, cluster: 'east' }],
  ['east/labs', { ...nothing, cluster: 'east', namespace: 'labs' }],
  ['east/labs/statefulset:db', { ...nothing, cluster: 'east', namespace: 'labs', name: 'statefulset:db' }],
  [
    'east/labs/d@v:7c9f@now-1h~now-30m',
    {
      cluster: 'east',
      namespace: 'labs',
      name: 'd',
      version: '7c9f',
      window: { from: 'now-1h', to: 'now-30m' },
    },
  ],
])('%s', (text, place) => {
  expect(sidePlace(text, 'a')).toEqual(place)
})

test.each(['east@v:7c9f', 'east@now-1h', 'east/labs/d@v:1@v:2', 'east@now-2h~now-1h@now-1h~now'])(
  '%s is refused',
  (text) => {
    expect(() => sidePlace(text, 'b')).toThrow('/query/b')
  },
)
