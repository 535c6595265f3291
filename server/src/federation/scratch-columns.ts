import { ColumnStock } from '../domain/column-stock.ts'

const PIECE_BYTES = 1_048_576

/**
 * Columns of NaN whose memory goes back to the system with `free` and not when the collector comes by: V8 hardly sees
 * what lies outside of its heap and lets some 64 MB of it pile up, between which what stays is scattered.
 */
export class ScratchColumns {
  readonly #pieces: ArrayBuffer[] = []
  readonly #stock = new ColumnStock((length) => this.#made(length), PIECE_BYTES / Float64Array.BYTES_PER_ELEMENT)

  /** Good until `free`; empty afterwards. */
  readonly take = (length: number): Float64Array => this.#stock.take(length)

  free(): void {
    for (const piece of this.#pieces) piece.resize(0)
    this.#pieces.length = 0
  }

  #made(length: number): Float64Array {
    const byteLength = length * Float64Array.BYTES_PER_ELEMENT
    const piece = new ArrayBuffer(byteLength, { maxByteLength: byteLength })
    this.#pieces.push(piece)
    return new Float64Array(piece, 0, length)
  }
}
