/** Resolves when it is the caller's turn, with what ends it; rejects when the signal aborts before. */
export type Turn = (signal?: AbortSignal) => Promise<() => void>

/** One at a time, in the order they came. */
export function createTurn(): Turn {
  let last: Promise<void> = Promise.resolve()
  return async (signal) => {
    const before = last
    let end = () => {}
    last = new Promise((resolve) => {
      end = resolve
    })
    // Who leaves the line hands on the turn of the one before.
    const handOn = () => void before.then(end)
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        handOn()
        reject(signal?.reason)
      }
      if (signal?.aborted === true) {
        leave()
        return
      }
      signal?.addEventListener('abort', leave, { once: true })
      void before.then(() => {
        signal?.removeEventListener('abort', leave)
        resolve()
      })
    })
    return end
  }
}
