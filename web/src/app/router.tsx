import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { partOr } from '../answers/lazy-part.ts'
import { MissingPart } from '../answers/missing-part.tsx'
import { FleetScreen } from '../features/fleet/fleet-screen.tsx'
import { parseSearch, type SearchText, stringifySearch } from '../scope/search-codec.ts'
import { Frame } from './frame.tsx'
import { RouteError, UnknownPage } from './route-error.tsx'

/** A screen that is loaded when somebody is about to open it. */
function lazyScreen(load: () => Promise<ComponentType>, how: { large?: boolean } = {}) {
  return lazyRouteComponent(partOr(load, MissingPart, how))
}

/** The URL stays as it was written: screens read their part of it through schemas and leave the rest alone. */
const root = createRootRoute({
  validateSearch: (search: Record<string, unknown>): SearchText => search as SearchText,
  component: Frame,
  notFoundComponent: UnknownPage,
  errorComponent: RouteError,
})

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/fleet', search, replace: true })
  },
})

const fleet = createRoute({ getParentRoute: () => root, path: '/fleet', component: FleetScreen })

const workload = createRoute({
  getParentRoute: () => root,
  path: '/d/$cluster/$ns/$name',
  component: lazyScreen(() =>
    import('../features/workload/workload-screen.tsx').then((module) => module.WorkloadScreen),
  ),
})

const clusters = createRoute({
  getParentRoute: () => root,
  path: '/clusters',
  component: lazyScreen(() =>
    import('../features/clusters/clusters-screen.tsx').then((module) => module.ClustersScreen),
  ),
})

const cluster = createRoute({
  getParentRoute: () => root,
  path: '/clusters/$cluster',
  component: lazyScreen(() => import('../features/clusters/cluster-screen.tsx').then((module) => module.ClusterScreen)),
})

const triage = createRoute({
  getParentRoute: () => root,
  path: '/triage',
  component: lazyScreen(() => import('./triage-page.tsx').then((module) => module.TriagePage)),
})

const map = createRoute({
  getParentRoute: () => root,
  path: '/map',
  component: lazyScreen(() => import('../features/map/map-screen.tsx').then((module) => module.MapScreen)),
})

const explore = createRoute({
  getParentRoute: () => root,
  path: '/explore',
  component: lazyScreen(() => import('../features/explore/explore-screen.tsx').then((module) => module.ExploreScreen), {
    large: true,
  }),
})

const saved = createRoute({
  getParentRoute: () => root,
  path: '/s/$code',
  component: lazyScreen(() => import('../features/saved/saved-screen.tsx').then((module) => module.SavedScreen)),
})

const pair = createRoute({
  getParentRoute: () => root,
  path: '/wall/pair',
  component: lazyScreen(() => import('../features/pair/pair-screen.tsx').then((module) => module.PairScreen)),
})

const compare = createRoute({
  getParentRoute: () => root,
  path: '/compare',
  component: lazyScreen(() => import('../features/compare/compare-screen.tsx').then((module) => module.CompareScreen)),
})

const failover = createRoute({
  getParentRoute: () => root,
  path: '/failover',
  component: lazyScreen(() =>
    import('../features/failover/failover-screen.tsx').then((module) => module.FailoverScreen),
  ),
})

const routeTree = root.addChildren([
  home,
  fleet,
  workload,
  clusters,
  cluster,
  triage,
  map,
  compare,
  explore,
  failover,
  saved,
  pair,
])

/** `history` is the browser's own unless a test brings another. */
export function createAppRouter(history?: RouterHistory) {
  return createRouter({
    ...(history ? { history } : {}),
    routeTree,
    parseSearch,
    stringifySearch,
    pathParamsAllowedCharacters: [':', '@'],
    defaultPreload: 'intent',
    defaultPreloadDelay: 150,
    defaultErrorComponent: RouteError,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
