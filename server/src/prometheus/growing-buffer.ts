import { collectYoung } from './collect-young.ts'

const GROW_BYTES = 4 * 1_048_576

/** Bytes in a row, however many pieces they come in. */
export interface GrowingBuffer {
  append(piece: Uint8Array): void
  /** A view, good until `free`. */
  whole(): Buffer
  free(): void
}

/**
 * Takes up to `mostBytes`. The memory goes back to the system with `free` and not when the collector comes by: else a
 * cluster that sends too much, question after question, would hold a multiple of the limit.
 */
export function createGrowingBuffer(mostBytes: number): GrowingBuffer {
  const memory = new ArrayBuffer(0, { maxByteLength: mostBytes })
  let bytes = 0
  return {
    append(piece) {
      if (bytes + piece.length > memory.byteLength) {
        // The pieces of the last stretch are garbage by now.
        collectYoung()
        memory.resize(Math.min(mostBytes, bytes + Math.max(piece.length, GROW_BYTES)))
      }
      new Uint8Array(memory).set(piece, bytes)
      bytes += piece.length
    },
    whole: () => Buffer.from(memory, 0, bytes),
    free: () => memory.resize(0),
  }
}
