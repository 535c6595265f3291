import { expect, test } from 'vitest'
import { previewAddress, signedText } from './preview-link.ts'

const KEY = 'a key that is long enough for anybody'
const TEXT = { title: 'shop/web (east) - Goldseam', description: '21 Nov 03:31 UTC: 100 % & "slow" <b>' }
const address = () => new URL(previewAddress('https://goldseam.example.com/ops', KEY, TEXT))

test('what was signed here is shown, word for word', () => {
  expect(address().origin + address().pathname).toBe('https://goldseam.example.com/ops/preview.png')
  expect(signedText(KEY, address().searchParams)).toEqual(TEXT)
})

test.each<[string, (query: URLSearchParams) => void]>([
  ['another title', (query) => query.set('t', 'All quiet')],
  ['another description', (query) => query.set('d', 'All quiet')],
  ['a second title', (query) => query.append('t', 'All quiet')],
  ['words moved from one to the other', (query) => moved(query)],
  ['no signature', (query) => query.delete('s')],
  ['half a signature', (query) => query.set('s', query.get('s')?.slice(0, 20) ?? '')],
  ['no description', (query) => query.delete('d')],
])('%s is not let in', (_, change) => {
  const { searchParams } = address()
  change(searchParams)
  expect(signedText(KEY, searchParams)).toBeNull()
})

test('another key is another signature', () => {
  expect(signedText(`${KEY}.`, address().searchParams)).toBeNull()
})

function moved(query: URLSearchParams): void {
  query.set('t', TEXT.title.slice(0, -1))
  query.set('d', TEXT.title.slice(-1) + TEXT.description)
}
