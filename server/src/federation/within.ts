/**
 * What the work gives if it is done within so many seconds; null past that, while the work goes on. Its timer ends with
 * it: one that ran on would hold what the work gave until then.
 */
export async function within<T>(seconds: number, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, seconds * 1_000, null).unref()
  })
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
  }
}
