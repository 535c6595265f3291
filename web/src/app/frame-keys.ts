import { useLocation, useNavigate, useParams, useRouter } from '@tanstack/react-router'
import { z } from 'zod'
import { field } from '../scope/fields.ts'
import { keepScope } from '../scope/scope-search.ts'
import type { SearchText } from '../scope/search-codec.ts'
import { useChangeSearch, useFields } from '../scope/use-scope.ts'
import { useKey } from '../ui/use-key.ts'

interface Openers {
  readonly openHelp: () => void
  readonly openPalette: () => void
  readonly openWall: () => void
  readonly turnPanel: () => void
}

/** The keys that work on every screen. */
export function useFrameKeys({ openHelp, openPalette, openWall, turnPanel }: Openers): void {
  const go = useGoTo()
  const { cluster, ns, name }: { cluster?: string; ns?: string; name?: string } = useParams({ strict: false })
  const here = cluster && ns && name ? `${cluster}/${ns}/${name}` : null
  useKey('Mod+K', (event) => {
    event.preventDefault()
    openPalette()
  })
  useKey('?', openHelp)
  useKey('u', () => go('/fleet'))
  useKey('Backspace', () => go('/fleet'))
  useKey('g f', () => go('/fleet'))
  useKey('s', turnPanel)
  useKey('g t', () => go('/triage'))
  useKey('m', () => go('/map'))
  useKey('g m', () => go('/map'))
  useKey('g c', () => go('/clusters'))
  useKey('c', () => go('/compare', here === null ? {} : { a: here }))
  useKey('e', () => {
    // A page that knows what "this" is has a link there, with the question filled in.
    const link = document.querySelector<HTMLElement>('main a[aria-keyshortcuts="e"]')
    if (link) link.click()
    else go('/explore')
  })
  useKey('w', openWall)
}

const panelFields = { panel: field(z.enum(['suspects', '']), '') }

/** The suspects beside the page: in links as `panel=suspects`. Where the page is about them, there is nothing beside. */
export function usePanel(): { readonly isOpen: boolean; readonly turn: () => void } {
  const { panel } = useFields(panelFields)
  const { pathname } = useLocation()
  const change = useChangeSearch()
  const isOpen = panel === 'suspects' && pathname !== '/triage'
  return { isOpen, turn: () => change({ panel: isOpen ? '' : 'suspects' }) }
}

/** To another screen with the same time and clusters; nothing happens where there is no such screen. */
function useGoTo(): (path: string, more?: SearchText) => void {
  const navigate = useNavigate()
  const router = useRouter()
  return (path, more) => {
    if (!(path in router.routesByPath)) return
    void navigate({ to: path, search: (previous: SearchText) => ({ ...keepScope(previous), ...more }) })
  }
}
