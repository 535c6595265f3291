import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadConfig } from '../src/config/load-config.ts'
import { createCertificates } from './support/certificates.ts'

const certificates = createCertificates()
afterAll(() => certificates.remove())
const authority = certificates.authority('ours')
const [east, west] = [authority.issue(['DNS:east.test']), authority.issue(['DNS:west.test'])]
const put = (name: string, text: string) => {
  writeFileSync(join(certificates.directory, name), text)
  return name
}
const [twoLines, good, noPem] = [put('two-lines', 'one\ntwo'), put('token', 'abc\n'), put('no-pem', 'certainly')]

const withEndpoint = async (settings: string) => {
  const file = join(
    certificates.directory,
    put(
      'goldseam.yaml',
      `clusters:\n  - name: east\n    endpoints:\n      - { url: "https://east.test", ${settings} }\n`,
    ),
  )
  const result = await loadConfig({ argument: file, environment: null, directory: certificates.directory })
  return result.state === 'invalid' ? result.errors.map((error) => error.replace(`${file}:`, '')) : result.state
}

test('what secret files hold is looked at before anything is asked', async () => {
  const { certFile, keyFile } = east
  const tls = `caFile: ${authority.certFile}, certFile: ${certFile}, keyFile: ${keyFile}`
  expect(await withEndpoint(`bearerTokenFile: ${good}, ${tls}`)).toBe('loaded')
  expect(await withEndpoint(`bearerTokenFile: ${twoLines}`)).toEqual([
    '4:54: clusters[0].endpoints[0].bearerTokenFile: two-lines holds no token, but several lines, blanks, or signs that no header may carry; leave the token alone in it',
  ])
  expect(await withEndpoint(`caFile: ${noPem}`)).toEqual([
    '4:45: clusters[0].endpoints[0].caFile: no-pem holds no certificate; it has to begin with BEGIN CERTIFICATE (PEM)',
  ])
  expect(await withEndpoint(`certFile: ${certFile}, keyFile: ${certFile}`)).toEqual([
    expect.stringContaining('.keyFile: '),
  ])
  expect(await withEndpoint(`certFile: ${certFile}, keyFile: ${west.keyFile}`)).toEqual([
    expect.stringContaining(`keyFile: ${west.keyFile} is not the key of the certificate in ${certFile}`),
  ])
})

test('what comes after a colon would be read as the password', async () => {
  expect(await withEndpoint(`basicAuth: { username: "a:b", passwordFile: ${good} }`)).toEqual([
    expect.stringContaining('clusters[0].endpoints[0].basicAuth.username: a user name cannot hold a colon'),
  ])
})
