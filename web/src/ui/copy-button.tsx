import { useEffect, useState } from 'react'

const THANKS_MS = 2_000

interface CopyButtonProps {
  readonly text: () => string
  readonly children: string
}

export function CopyButton({ text, children }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), THANKS_MS)
    return () => clearTimeout(timer)
  }, [state])
  async function copy() {
    try {
      await navigator.clipboard.writeText(text())
      setState('copied')
    } catch {
      // Plain-HTTP pages on other machines have no clipboard; say so instead of pretending.
      setState('failed')
    }
  }
  return (
    <button type="button" className="button" onClick={() => void copy()}>
      {state === 'copied' ? 'Copied' : state === 'failed' ? 'Cannot copy here' : children}
    </button>
  )
}
