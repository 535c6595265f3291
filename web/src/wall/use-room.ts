import { useEffect, useState } from 'react'

/** The size of the picture, CSS pixels; televisions are turned and rescaled. */
export function useRoom(): { readonly width: number; readonly height: number } {
  const [room, setRoom] = useState(() => ({ width: innerWidth, height: innerHeight }))
  useEffect(() => {
    const look = () => setRoom({ width: innerWidth, height: innerHeight })
    addEventListener('resize', look)
    return () => removeEventListener('resize', look)
  }, [])
  return room
}

/** A clock that never jumps, once a second. */
export function useSecond(): number {
  const [nowMs, setNowMs] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}
