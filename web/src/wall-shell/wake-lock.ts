/** Keeps the screen on where the browser allows it; tells whether it does. */
export function keepAwake(tell: (held: boolean) => void): () => void {
  let lock: WakeLockSentinel | null = null
  let ended = false
  const ask = async () => {
    if (ended || lock !== null || document.visibilityState !== 'visible') return
    try {
      lock = await navigator.wakeLock.request('screen')
      if (ended) return void lock.release()
      lock.addEventListener('release', lost, { once: true })
      tell(true)
    } catch {
      // Not over plain http, or the system says no: the person who set the screen up has to.
      tell(false)
    }
  }
  const lost = () => {
    lock = null
    void ask()
  }
  const seen = () => void ask()
  document.addEventListener('visibilitychange', seen)
  if ('wakeLock' in navigator) void ask()
  else tell(false)
  return () => {
    ended = true
    document.removeEventListener('visibilitychange', seen)
    void lock?.release()
  }
}
