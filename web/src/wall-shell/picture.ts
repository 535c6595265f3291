import { isToShell, type ToPicture } from '../wall-link/messages.ts'
import { type Judgement, judgePicture } from './health.ts'

/** What it is told of is enough to see that it lives; more would only pile up in a dead one. */
const MOST_WAITING = 10

export interface PictureEvents {
  onReady(picture: Picture): void
  onPainted(picture: Picture): void
}

/**
 * The app in a frame with an origin and, in Chromium, a process of its own: it can crash or hang without taking the
 * shell along, and it never sees the wall's token.
 */
export class Picture {
  readonly element: HTMLIFrameElement
  readonly #events: PictureEvents
  readonly #listen: (event: MessageEvent) => void
  readonly #madeAtMs = performance.now()
  #script: string | null = null
  #painted = false
  #unpainted: { seq: number; atMs: number }[] = []
  #unanswered: { count: number; atMs: number }[] = []
  #heapBytes: number | null = null

  constructor(address: string, events: PictureEvents) {
    this.#events = events
    this.element = document.createElement('iframe')
    this.element.setAttribute('sandbox', 'allow-scripts')
    this.element.title = 'Wall'
    this.element.src = address
    this.#listen = (event) => this.#hear(event)
    addEventListener('message', this.#listen)
  }

  get script(): string | null {
    return this.#script
  }

  get painted(): boolean {
    return this.#painted
  }

  post(message: ToPicture): void {
    // Its origin is opaque, so there is no name to give; what it is sent holds no secret.
    this.element.contentWindow?.postMessage(message, '*')
    if (this.#script === null) return
    const atMs = performance.now()
    if (message.kind === 'frame')
      this.#unpainted = [...this.#unpainted, { seq: message.seq, atMs }].slice(0, MOST_WAITING)
    if (message.kind === 'ping')
      this.#unanswered = [...this.#unanswered, { count: message.count, atMs }].slice(0, MOST_WAITING)
  }

  /** A page that was hidden did not paint: that is nobody's fault. */
  forgive(): void {
    this.#unpainted = []
    this.#unanswered = []
  }

  judge(nowMs: number): Judgement {
    const state = {
      madeAtMs: this.#madeAtMs,
      ready: this.#script !== null,
      painted: this.#painted,
      unpaintedAtMs: this.#unpainted.map(({ atMs }) => atMs),
      unansweredAtMs: this.#unanswered.map(({ atMs }) => atMs),
      heapBytes: this.#heapBytes,
    }
    return judgePicture(state, nowMs)
  }

  remove(): void {
    removeEventListener('message', this.#listen)
    this.element.remove()
  }

  #hear(event: MessageEvent): void {
    if (event.source !== this.element.contentWindow || !isToShell(event.data)) return
    const { data } = event
    switch (data.kind) {
      case 'ready':
        this.#script = data.script
        this.#events.onReady(this)
        return
      case 'painted':
        this.#painted = true
        this.#unpainted = this.#unpainted.filter(({ seq }) => seq > data.seq)
        this.#events.onPainted(this)
        return
      case 'pong':
        this.#unanswered = this.#unanswered.filter(({ count }) => count > data.count)
        this.#heapBytes = data.heapBytes
        return
      default:
        data satisfies never
    }
  }
}
