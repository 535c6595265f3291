const LITERAL_LIMIT = 1 << 16

/** Snappy block format without compression: the length, then the bytes as literals. Enough for a neighbour on loopback. */
export function snappyLiterals(bytes: Uint8Array): Buffer {
  const parts: Buffer[] = [varint(bytes.length)]
  for (let at = 0; at < bytes.length; at += LITERAL_LIMIT) {
    const chunk = bytes.subarray(at, at + LITERAL_LIMIT)
    // Tag 61 << 2: a literal whose length - 1 follows in two bytes.
    const header = Buffer.from([61 << 2, 0, 0])
    header.writeUInt16LE(chunk.length - 1, 1)
    parts.push(header, Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length))
  }
  return Buffer.concat(parts)
}

function varint(value: number): Buffer {
  const out: number[] = []
  let rest = value
  while (rest >= 0x80) {
    out.push((rest & 0x7f) | 0x80)
    rest >>>= 7
  }
  out.push(rest)
  return Buffer.from(out)
}
