import './palette.css'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { fleetQuery } from '../api/queries.ts'
import { parseWorkloadId } from '../format/workload-name.ts'
import { keepScope } from '../scope/scope-search.ts'
import type { SearchText } from '../scope/search-codec.ts'
import { isLive } from '../scope/time-range.ts'
import { useAsking } from '../scope/use-asking.ts'
import { useChangeSearch, useScope } from '../scope/use-scope.ts'
import { Glyph } from '../ui/glyph.tsx'
import { usePanel } from './frame-keys.ts'
import { type Choice, type PaletteAction, type PaletteItem, paletteItems } from './palette-items.ts'
import { SCREENS } from './screens.ts'
import { THEMES, type Theme, useTheme } from './use-theme.ts'

/** Found by name alone: it hangs on the clusters and is not in the navigation. */
const PLACES = [...SCREENS, { path: '/failover', title: 'If a cluster goes' }]

interface PaletteProps {
  readonly close: () => void
  readonly actions: readonly (PaletteAction & { readonly act: () => void })[]
}

/** One box for everything that can be gone to or done. Mounted while it is open. */
export function Palette({ close, actions }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const { tz } = useScope()
  const { data: fleet } = useQuery({ ...fleetQuery(useAsking()), refetchInterval: false })
  const every = [...actions, ...useTurns()]
  const carryOut = useCarryOut(every)
  const id = useId()
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
  }, [])
  const items = paletteItems(typed, {
    fleet,
    screens: PLACES,
    actions: every,
    origin: window.location.origin,
    nowMs: Date.now(),
    zone: tz,
  })
  const chosen = items[Math.min(at, items.length - 1)]
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })
  function take(item: PaletteItem | undefined) {
    if (!item) return
    dialog.current?.close()
    carryOut(item.choice)
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && items.length > 0) {
      event.preventDefault()
      setAt((Math.min(at, items.length - 1) + step + items.length) % items.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      take(chosen)
    }
  }
  return (
    <dialog ref={dialog} className="dialog palette" aria-label="Find anything" onClose={close}>
      <input
        className="palette-field"
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen ? `${id}-${items.indexOf(chosen)}` : undefined}
        aria-label="Workload, screen, time or action"
        placeholder="Workload, cluster, screen, time (last 2h, around 03:12), link"
        value={typed}
        maxLength={8_000}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => {
          setTyped(target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div className="palette-list" id={`${id}-list`} role="listbox" tabIndex={-1} aria-label="Matches" ref={list}>
        {items.map((item, index) => (
          // The field keeps the focus and takes the keys; the pointer is the other way in.
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the combobox
          <div
            key={item.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={item === chosen}
            className="palette-item"
            onPointerMove={() => setAt(index)}
            onClick={() => take(item)}
          >
            <span className="palette-mark">{item.mark && <Glyph mark={item.mark} size={12} />}</span>
            {item.title}
            <span className="muted">{item.detail}</span>
          </div>
        ))}
      </div>
      {items.length === 0 && <p className="palette-none">Nothing here is called that.</p>}
    </dialog>
  )
}

/** What is on or off: said as what choosing it does. */
function useTurns(): PaletteProps['actions'] {
  const { refresh, to } = useScope()
  const change = useChangeSearch()
  const panel = usePanel()
  const [theme, choose] = useTheme()
  const paused = refresh === 'off'
  const pause = { name: 'pause', title: paused ? 'Go on refreshing' : 'Pause refreshing', hint: 'p' }
  const side = { name: 'suspects', title: `${panel.isOpen ? 'Hide' : 'Show'} the suspects beside the page`, hint: 's' }
  return [
    { ...side, act: panel.turn },
    ...(isLive(to)
      ? [{ ...pause, act: () => change({ refresh: paused ? undefined : 'off' }, { replace: true }) }]
      : []),
    ...THEMES.filter((other) => other !== theme).map((other) => ({
      name: `theme ${other}`,
      title: THEME_TITLES[other],
      hint: 'theme',
      act: () => choose(other),
    })),
  ]
}

const THEME_TITLES: Record<Theme, string> = {
  auto: 'Theme: auto, as the system is',
  light: 'Theme: light',
  dark: 'Theme: dark',
}

function useCarryOut(actions: PaletteProps['actions']): (choice: Choice) => void {
  const navigate = useNavigate()
  const router = useRouter()
  const change = useChangeSearch()
  const search = (previous: SearchText) => keepScope(previous)
  return (choice) => {
    switch (choice.kind) {
      case 'workload': {
        const target = parseWorkloadId(choice.id)
        if (!target) return
        const { cluster, namespace: ns, name } = target
        void navigate({ to: '/d/$cluster/$ns/$name', params: { cluster, ns, name }, search })
        return
      }
      case 'address':
        if (PLACES.some(({ path }) => path === choice.href)) void navigate({ to: choice.href, search })
        else router.history.push(choice.href)
        return
      case 'range':
        change({ from: choice.from, to: choice.to })
        return
      case 'cluster':
        void navigate({ to: '/fleet', search: (previous: SearchText) => ({ ...keepScope(previous), c: choice.name }) })
        return
      case 'action':
        actions.find(({ name }) => name === choice.name)?.act()
        return
      default:
        choice satisfies never
    }
  }
}
