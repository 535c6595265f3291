/** The little of protocol buffers that remote write needs: a growing buffer and three wire types. */
export interface ProtobufWriter {
  varint(value: number): void
  double(value: number): void
  text(value: string): void
  /** Field header: number and wire type (0 varint, 1 double, 2 length-delimited). */
  tag(field: number, wireType: 0 | 1 | 2): void
  bytes(value: Uint8Array): void
  /** What has been written; valid until the next write or reset. */
  written(): Uint8Array
  reset(): void
}

export function createProtobufWriter(): ProtobufWriter {
  let buffer = Buffer.allocUnsafe(1 << 16)
  let length = 0

  function need(bytes: number): void {
    if (length + bytes <= buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, length + bytes))
    buffer.copy(larger, 0, 0, length)
    buffer = larger
  }

  /** Division, not shifts: timestamps in ms do not fit 32 bits. */
  function varint(value: number): void {
    need(10)
    let rest = value
    while (rest >= 0x80) {
      buffer[length++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    buffer[length++] = rest
  }

  return {
    varint,
    tag: (field, wireType) => varint(field * 8 + wireType),
    double(value) {
      need(8)
      buffer.writeDoubleLE(value, length)
      length += 8
    },
    text(value) {
      const bytes = Buffer.byteLength(value)
      varint(bytes)
      need(bytes)
      length += buffer.write(value, length)
    },
    bytes(value) {
      varint(value.length)
      need(value.length)
      buffer.set(value, length)
      length += value.length
    },
    written: () => buffer.subarray(0, length),
    reset() {
      length = 0
    },
  }
}
