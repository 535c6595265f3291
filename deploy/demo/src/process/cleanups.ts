/** What to undo at the end, the latest first. */
export interface Cleanups {
  add(undo: () => Promise<unknown>): void
  run(): Promise<void>
}

export function createCleanups(): Cleanups {
  const undos: (() => Promise<unknown>)[] = []
  return {
    add: (undo) => undos.push(undo),
    async run() {
      for (const undo of undos.splice(0).reverse()) {
        // One that fails must not keep the others from being undone.
        await undo().catch((error: unknown) => console.error(error))
      }
    },
  }
}
