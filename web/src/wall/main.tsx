import '../ui/tokens.css'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { ToPicture, ToShell } from '../wall-link/messages.ts'
import { readOptions, type WallOptions } from './options.ts'
import { AT_START, type WallState } from './state.ts'
import { Tile } from './tile.tsx'
import { useCapRatio } from './use-cap-ratio.ts'
import { Wall } from './wall.tsx'

/** The picture in the shell's frame. It asks for nothing: what it shows, it is told. */
const options = readOptions(location.search)
document.documentElement.dataset.theme = options.theme
const script = new URL((document.currentScript as HTMLScriptElement | null)?.src ?? location.href).pathname

const mount = document.createElement('div')
document.body.append(mount)
createRoot(mount, { onCaughtError: () => undefined }).render(<Picture options={options} />)

function Picture({ options: chosen }: { readonly options: WallOptions }) {
  const [state, setState] = useState<WallState>(AT_START)
  const capRatio = useCapRatio()
  useEffect(() => {
    const hear = ({ data, source }: MessageEvent<ToPicture>) => {
      if (source !== parent) return
      if (data.kind === 'ping') return answer(data.count)
      if (data.kind === 'touch') return void dispatchEvent(new Event('keydown'))
      setState((before) => heard(before, data))
    }
    addEventListener('message', hear)
    post({ kind: 'ready', script })
    return () => removeEventListener('message', hear)
  }, [])
  return (
    <Tile name="the picture" seq={state.seq}>
      <Wall
        state={state}
        options={chosen}
        capRatio={capRatio}
        origin={location.origin}
        onPainted={(seq) => post({ kind: 'painted', seq })}
      />
    </Tile>
  )
}

function heard(state: WallState, message: Exclude<ToPicture, { kind: 'ping' | 'touch' }>): WallState {
  switch (message.kind) {
    case 'link':
      return { ...state, link: message.link }
    case 'wake':
      return { ...state, awake: message.held }
    case 'frame':
      return {
        ...state,
        link: state.link.state === 'live' ? state.link : { state: 'live' },
        frame: JSON.parse(message.json),
        seq: message.seq,
        cameAtMs: performance.now() - message.ageMs,
      }
    default:
      return message satisfies never
  }
}

/** Chromium alone tells; enough to notice a picture that grows. */
function answer(count: number): void {
  const { memory } = performance as { memory?: { usedJSHeapSize: number } }
  post({ kind: 'pong', count, heapBytes: memory?.usedJSHeapSize ?? null })
}

function post(message: ToShell): void {
  parent.postMessage(message, '*')
}
