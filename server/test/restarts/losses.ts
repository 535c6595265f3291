import type { OnScreen } from './on-screen.ts'

interface Loss {
  readonly fromMs: number
  toMs: number
  answers: number
  readonly viewers: Set<number>
}

export interface Losses {
  /** What this viewer sees now: what he saw before and is not there any more is lost. */
  note(viewer: number, parts: OnScreen): void
  /** What not every viewer has seen yet. */
  unseen(viewers: number): string[]
  /** In words, since `forget`. */
  told(): string[]
  /** What was lost, and not what was seen. */
  forget(): void
}

export function createLosses(): Losses {
  /** Who has seen it once. */
  const seenBy = new Map<string, Set<number>>()
  const losses = new Map<string, Loss>()
  return {
    note(viewer, parts) {
      for (const [name, value] of parts) {
        const viewers = seenBy.get(name) ?? new Set()
        seenBy.set(name, viewers)
        if (value !== null) viewers.add(viewer)
        else if (viewers.has(viewer)) lose(name, viewer)
      }
    },
    unseen: (viewers) => [...seenBy].flatMap(([name, { size }]) => (size < viewers ? [name] : [])),
    told: () =>
      [...losses].map(([name, { fromMs, toMs, answers, viewers }]) => {
        const seconds = ((toMs - fromMs) / 1_000).toFixed(1)
        return `${name}: not in ${answers} answers to ${viewers.size} viewers, over ${seconds} s`
      }),
    forget: () => losses.clear(),
  }

  function lose(name: string, viewer: number): void {
    const nowMs = Date.now()
    const loss = losses.get(name) ?? { fromMs: nowMs, toMs: nowMs, answers: 0, viewers: new Set() }
    losses.set(name, loss)
    loss.toMs = nowMs
    loss.answers += 1
    loss.viewers.add(viewer)
  }
}
