import { expect, test } from 'vitest'
import { HiddenSecrets } from './hidden-secrets.ts'

test('credentials and headers are in no text, whoever repeats them', () => {
  const hidden = new HiddenSecrets({ 'x-api-key': 'key-of-ours', 'x-scope-orgid': 'team-a' })
  hidden.learnAuthorization('Bearer tokenNumberOne')
  hidden.learnAuthorization(`Basic ${Buffer.from('reader:pass:word1').toString('base64')}`)
  expect(hidden.hide('not allowed: Bearer tokenNumberOne')).toBe('not allowed: Bearer ***')
  expect(hidden.hide('{"x-api-key":"key-of-ours"} of team-a')).toBe('{"x-api-key":"***"} of team-a')
  expect(hidden.hide('pass:word1 is wrong')).toBe('*** is wrong')
  expect(hidden.hide(Buffer.from('reader:pass:word1').toString('base64'))).toBe('***')
  expect(hidden.hide('parse error at char 5')).toBe('parse error at char 5')
})

test('names of tenants are no secrets', () => {
  const headers = { 'X-Scope-OrgID': 'production', 'THANOS-TENANT': 'fleet-east', 'User-Agent': 'goldseam-7' }
  const text = 'tenant production of fleet-east asked by goldseam-7'
  expect(new HiddenSecrets(headers).hide(text)).toBe(text)
})

test('a longer one is hidden as a whole, and the newest are known', () => {
  const hidden = new HiddenSecrets({ a: 'abcdefgh', b: 'abcdefghijkl' })
  expect(hidden.hide('abcdefghijkl')).toBe('***')
  for (let token = 0; token < 100; token += 1) hidden.learnAuthorization(`Bearer rotated-${token + 1_000}`)
  expect(hidden.hide('rotated-1099 rotated-1000')).toBe('*** rotated-1000')
})
