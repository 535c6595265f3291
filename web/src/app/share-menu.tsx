import { Suspense, useRef, useState } from 'react'
import { lazyPart } from '../answers/lazy-part.ts'
import { MissingMenu } from '../answers/missing-part.tsx'
import { useClosing } from '../ui/use-closing.ts'
import { useKey } from '../ui/use-key.ts'
import type { Head } from './use-head.ts'
import { useShare } from './use-share.ts'

/** Loaded when the menu opens; its keys act without it. */
const ShareChoices = lazyPart(() => import('./share-choices.tsx').then((module) => module.ShareChoices), MissingMenu)

/** Hands what is on screen to somebody else. Frozen comes first: who opens it later has to see the same. */
export function ShareMenu({ head }: { readonly head: Head }) {
  const share = useShare(head)
  const menu = useRef<HTMLDetailsElement>(null)
  const [open, setOpen] = useState(false)
  useClosing(menu)
  useKey('y', share.copyLive)
  useKey('Y', share.copyFrozen)
  useKey('C', share.copyText)
  function close() {
    if (!menu.current) return
    menu.current.open = false
    menu.current.querySelector('summary')?.focus()
  }
  return (
    <details className="menu" ref={menu} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="button">
        Share <span aria-hidden="true">▾</span>
      </summary>
      <Suspense fallback={<div className="menu-panel menu-list" />}>
        {open && <ShareChoices share={share} close={close} />}
      </Suspense>
    </details>
  )
}
