const SIMPLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.))/gsu

/** The text that a PromQL string literal stands for, in any of its three kinds of quotes. */
export function unquoted(literal: string): string {
  const inner = literal.slice(1, -1)
  if (literal.startsWith('`')) return inner
  return inner.replace(ESCAPE, (_, byte, short, long, octal, one) => {
    const hex = byte ?? short ?? long
    if (hex !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff))
    if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8))
    return SIMPLE[one] ?? one
  })
}
