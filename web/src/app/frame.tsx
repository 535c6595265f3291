import './frame.css'
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { MisfitNote } from '../scope/misfit-note.tsx'
import { keepScope, scopeFields } from '../scope/scope-search.ts'
import type { SearchText } from '../scope/search-codec.ts'
import { useKey } from '../ui/use-key.ts'
import { HelpDialog } from './help-dialog.tsx'
import { LiveRegion } from './live-region.tsx'
import { pageTitle } from './page-title.ts'
import { ScopeBar } from './scope-bar.tsx'
import { ThemeToggle } from './theme-toggle.tsx'
import { type Head, useHead } from './use-head.ts'
import { VerdictBar } from './verdict-bar.tsx'

/** Around every screen: where one is, which time and clusters one looks at, and what is wrong. */
export function Frame() {
  const head = useHead()
  const [helping, setHelping] = useState(false)
  const navigate = useNavigate()
  useKey('?', () => setHelping(true))
  useKey('u', () => void navigate({ to: '/fleet', search: (previous: SearchText) => keepScope(previous) }))
  useKey('s', () => void navigate({ to: '/triage', search: (previous: SearchText) => keepScope(previous) }))
  useTabReport(head)
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="frame">
        <Navigation openHelp={() => setHelping(true)} />
        <ScopeBar head={head} />
        <VerdictBar view={head.view} failed={head.failed} />
      </header>
      <main id="main" tabIndex={-1}>
        <MisfitNote fields={scopeFields} />
        <Outlet />
      </main>
      <LiveRegion verdict={head.view?.head.verdict} />
      {helping && <HelpDialog close={() => setHelping(false)} />}
    </>
  )
}

function Navigation({ openHelp }: { readonly openHelp: () => void }) {
  const search = (previous: SearchText) => keepScope(previous)
  return (
    <nav className="nav" aria-label="Screens">
      <Link to="/fleet" search={search} className="brand">
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
      <Link to="/fleet" search={search} className="nav-link" activeProps={{ 'aria-current': 'page' }}>
        Fleet
      </Link>
      <Link to="/map" search={search} className="nav-link" activeProps={{ 'aria-current': 'page' }}>
        Map
      </Link>
      <Link to="/triage" search={search} className="nav-link" activeProps={{ 'aria-current': 'page' }}>
        Triage
      </Link>
      <Link to="/explore" search={search} className="nav-link" activeProps={{ 'aria-current': 'page' }}>
        Explore
      </Link>
      <Link to="/clusters" search={search} className="nav-link" activeProps={{ 'aria-current': 'page' }}>
        Clusters
      </Link>
      <span className="nav-space" />
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
  const form = view?.head.verdict.form ?? 'quiet'
  useEffect(() => {
    document.title = title
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    const href = form === 'quiet' ? '/favicon.svg' : '/favicon-alert.svg'
    if (icon && icon.getAttribute('href') !== href) icon.setAttribute('href', href)
  }, [title, form])
}
