import './frame.css'
import './print.css'
import './time-bars.css'
import { Link, Outlet, useParams, useRouter } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '../answers/lazy-part.ts'
import { MissingOverlay } from '../answers/missing-part.tsx'
import { MisfitNote } from '../scope/misfit-note.tsx'
import { keepScope, scopeFields } from '../scope/scope-search.ts'
import { isLive } from '../scope/time-range.ts'
import { useScope } from '../scope/use-scope.ts'
import { Toast } from '../ui/toast.tsx'
import { useFrameKeys, usePanel } from './frame-keys.ts'
import { LinkNotes } from './link-note.tsx'
import { LiveRegion } from './live-region.tsx'
import { NewVersion } from './new-version.tsx'
import { isAlarming, pageTitle } from './page-title.ts'
import { PrintFoot } from './print-foot.tsx'
import { ScopeBar } from './scope-bar.tsx'
import { SCREENS } from './screens.ts'
import { SignIn } from './sign-in.tsx'
import { ThemeToggle } from './theme-toggle.tsx'
import { useAddressStamp } from './use-address-stamp.ts'
import { type Head, useHead } from './use-head.ts'
import { useShare } from './use-share.ts'
import { VerdictBar } from './verdict-bar.tsx'

/** Opened seldom: neither may weigh on the first screen. */
const HelpDialog = lazyPart(() => import('./help-dialog.tsx').then((module) => module.HelpDialog), MissingOverlay)
const WallDialog = lazyPart(() => import('./wall-dialog.tsx').then((module) => module.WallDialog), MissingOverlay)
const TimeBars = lazyPart(() => import('./time-bars.tsx').then((module) => module.TimeBars))
const SuspectsPanel = lazyPart(
  () => import('./suspects-panel.tsx').then((module) => module.SuspectsPanel),
  MissingOverlay,
)
const Palette = lazyPart(() => import('./palette.tsx').then((module) => module.Palette), MissingOverlay)

/** Around every screen: where one is, which time and clusters one looks at, and what is wrong. */
export function Frame() {
  const head = useHead()
  const [open, setOpen] = useState<'help' | 'palette' | 'wall' | null>(null)
  const openHelp = () => setOpen('help')
  const openPalette = () => setOpen('palette')
  const close = () => setOpen(null)
  const panel = usePanel()
  useFrameKeys({ openHelp, openPalette, openWall: () => setOpen('wall'), turnPanel: panel.turn })
  useTabReport(head)
  useAddressStamp(head.updatedAt)
  const share = useShare(head)
  const { asof, saved, to } = useScope()
  const notNow = asof !== '' || saved !== '' || !isLive(to)
  const actions = [
    { name: 'frozen', title: 'Copy frozen link', hint: 'Y', act: share.copyFrozen },
    { name: 'live', title: 'Copy live link', hint: 'y', act: share.copyLive },
    { name: 'text', title: 'Copy finding as text', hint: 'C', act: share.copyText },
    { name: 'refresh', title: 'Refresh now', hint: 'r', act: head.refetch },
    { name: 'print', title: 'Print this page', hint: 'action', act: () => window.print() },
    { name: 'wall', title: 'A wall for a screen', hint: 'w', act: () => setOpen('wall') },
    { name: 'help', title: 'Keys and signs', hint: '?', act: openHelp },
  ]
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="frame">
        <Navigation openHelp={openHelp} openPalette={openPalette} />
        <ScopeBar head={head} />
        {notNow && (
          <Suspense fallback={<div className="time-bar" />}>
            <TimeBars />
          </Suspense>
        )}
        <VerdictBar view={head.view} isBefore={head.isBefore} isAtMoment={head.isAtMoment} failed={head.failed} />
      </header>
      <main id="main" tabIndex={-1}>
        <LinkNotes clusters={head.view?.head.clusters.map(({ name }) => name) ?? null} />
        <MisfitNote fields={scopeFields} />
        <Outlet />
      </main>
      <PrintFoot />
      <LiveRegion verdict={head.view?.head.verdict} />
      <SignIn />
      <Toast />
      <Suspense fallback={null}>
        {panel.isOpen && <SuspectsPanel close={panel.turn} />}
        {open === 'help' && <HelpDialog close={close} />}
        {open === 'wall' && <WallDialog close={close} />}
        {open === 'palette' && <Palette close={close} actions={actions} />}
      </Suspense>
    </>
  )
}

interface NavigationProps {
  readonly openHelp: () => void
  readonly openPalette: () => void
}

function Navigation({ openHelp, openPalette }: NavigationProps) {
  const router = useRouter()
  const screens = SCREENS.filter(({ path }) => path in router.routesByPath)
  return (
    <nav className="nav" aria-label="Screens">
      <Link to="/fleet" search={keepScope} className="brand">
        <svg viewBox="0 0 32 24" width="26" height="20" aria-hidden="true">
          <path
            d="M2 17 9 8l5 6 5-8 9 11"
            fill="none"
            stroke="var(--gold)"
            strokeWidth="3"
            strokeLinejoin="round"
            strokeLinecap="round"
          />
        </svg>
        <span className="brand-word">Goldseam</span>
      </Link>
      {screens.map(({ path, title }) => (
        <Link key={path} to={path} search={keepScope} className="nav-link" activeProps={{ 'aria-current': 'page' }}>
          {title}
        </Link>
      ))}
      <span className="nav-space" />
      <NewVersion />
      <button type="button" className="button nav-find" onClick={openPalette}>
        Find <kbd>Ctrl K</kbd>
      </button>
      <button type="button" className="button button-plain" onClick={openHelp} aria-label="Help: keys and signs">
        ?
      </button>
      <ThemeToggle />
    </nav>
  )
}

/** Title and icon, so that a tab in the background reports trouble. */
function useTabReport({ view }: Head): void {
  const params: { name?: string } = useParams({ strict: false })
  const title = pageTitle(view, params.name ?? '')
  const alarming = view !== undefined && isAlarming(view)
  useEffect(() => {
    document.title = title
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    const href = alarming ? '/favicon-alert.svg' : '/favicon.svg'
    if (icon && icon.getAttribute('href') !== href) icon.setAttribute('href', href)
  }, [title, alarming])
}
