import { createHash, randomBytes, randomInt } from 'node:crypto'

/** 256 random bits, so that a plain hash is as good as the token is long: nobody can try them all. */
const TOKEN_BYTES = 32

export type TokenKind = 'person' | 'wall'

const PREFIX: Readonly<Record<TokenKind, string>> = { person: 'gst_', wall: 'gsw_' }

export function newToken(kind: TokenKind): string {
  return `${PREFIX[kind]}${randomBytes(TOKEN_BYTES).toString('base64url')}`
}

/** What is kept of a token: `sha256:` and 64 hex digits. */
export function hashOf(token: string): string {
  return `sha256:${createHash('sha256').update(token).digest('hex')}`
}

/** Six digits to read from a screen and type in. */
export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

export function newSecret(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}
