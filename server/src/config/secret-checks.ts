import { createPrivateKey, X509Certificate } from 'node:crypto'

/** What is wrong with what a secret file holds, in words that follow its name; null: nothing that can be seen. */
export type Check = (text: string) => string | null

export const anything: Check = () => null

export const token: Check = (text) =>
  /^[\x21-\x7e]+$/.test(text)
    ? null
    : 'holds no token, but several lines, blanks, or signs that no header may carry; leave the token alone in it'

export const certificates: Check = (text) =>
  parses(() => new X509Certificate(text)) ? null : 'holds no certificate; it has to begin with BEGIN CERTIFICATE (PEM)'

export const privateKey: Check = (text) =>
  parses(() => createPrivateKey(text))
    ? null
    : 'holds no private key without a passphrase; it has to begin with BEGIN PRIVATE KEY or the like (PEM)'

const SHORTEST_KEY = 32

/** Shorter ones are guessed, and then anybody's words stand in the pictures. */
export const previewKey: Check = (text) =>
  text.length < SHORTEST_KEY
    ? `holds a key of less than ${SHORTEST_KEY} characters; make one: openssl rand -hex 32`
    : null

/** Whether the one is the key of the other; both are what their names say. */
export function belongTogether(certificate: string, key: string): boolean {
  return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
}

function parses(parse: () => unknown): boolean {
  try {
    parse()
    return true
  } catch {
    return false
  }
}
