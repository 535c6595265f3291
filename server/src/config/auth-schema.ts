import { z } from 'zod'
import { fileName, text } from './fields.ts'
import type { AuthConfig } from './settings.ts'

/** Of a token or a wall. */
export const AccessName = text('a name').regex(/^[\w][\w .-]{0,62}$/, 'use up to 63 letters, digits, spaces, - . and _')

const hash = text('the hash of a token').regex(
  /^sha256:[0-9a-f]{64}$/,
  'write sha256: and 64 hex digits; `npm start -- token NAME` makes a token and its hash',
)

const names = (what: string) => z.array(text(what), { error: `a list such as [${what}] is expected here` }).default([])

export const TokenFile = z.strictObject(
  { name: AccessName, hash },
  { error: 'a token such as { name: ann, hash: "sha256:..." } is expected here' },
)

export const WallFile = z.strictObject(
  { name: AccessName, hash, clusters: names('east'), namespaces: names('shop') },
  { error: 'a wall such as { name: lobby, hash: "sha256:..." } is expected here' },
)

export const AuthFile = z.strictObject(
  {
    tokens: z
      .array(TokenFile, { error: 'a list of tokens is expected here' })
      .min(1, 'name at least one token, or nobody gets in'),
    walls: z.array(WallFile, { error: 'a list of walls is expected here' }).default([]),
    wallsFile: fileName.default('goldseam-walls.json'),
  },
  { error: 'use none, or tokens: auth: { tokens: [{ name: ann, hash: "sha256:..." }] }' },
)

/** `none`, or who has a token. Not a union: its errors would not say which line of the tokens is wrong. */
export const Auth = z
  .unknown()
  .transform((value, context): 'none' | AuthConfig => {
    if (value === 'none') return 'none'
    const parsed = AuthFile.safeParse(value, { reportInput: true })
    if (parsed.success) return parsed.data
    for (const issue of parsed.error.issues) context.issues.push({ ...issue, input: value } as z.core.$ZodRawIssue)
    return 'none'
  })
  .optional()
