import { Suspense, useRef, useState } from 'react'
import { lazyPart } from '../../answers/lazy-part.ts'
import { MissingMenu } from '../../answers/missing-part.tsx'
import { useClosing } from '../../ui/use-closing.ts'
import type { ChosenColumn } from './fleet-search.ts'

/** Loaded when the menu opens. */
const ColumnChoices = lazyPart(() => import('./column-choices.tsx').then((module) => module.ColumnChoices), MissingMenu)

/** Which columns are shown; the link has them, so that a colleague sees the same. */
export function ColumnsMenu({ cols }: { readonly cols: readonly ChosenColumn[] }) {
  const menu = useRef<HTMLDetailsElement>(null)
  const [open, setOpen] = useState(false)
  useClosing(menu)
  return (
    <details className="menu" ref={menu} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="button">
        Columns <span aria-hidden="true">▾</span>
      </summary>
      <Suspense fallback={<div className="menu-panel" />}>{open && <ColumnChoices cols={cols} />}</Suspense>
    </details>
  )
}
