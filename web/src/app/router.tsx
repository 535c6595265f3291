import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router'
import { FleetScreen } from '../features/fleet/fleet-screen.tsx'
import { parseSearch, type SearchText, stringifySearch } from '../scope/search-codec.ts'
import { Frame } from './frame.tsx'
import { RouteError, UnknownPage } from './route-error.tsx'

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
  component: lazyRouteComponent(() => import('../features/workload/workload-screen.tsx'), 'WorkloadScreen'),
})

const clusters = createRoute({
  getParentRoute: () => root,
  path: '/clusters',
  component: lazyRouteComponent(() => import('../features/clusters/clusters-screen.tsx'), 'ClustersScreen'),
})

const cluster = createRoute({
  getParentRoute: () => root,
  path: '/clusters/$cluster',
  component: lazyRouteComponent(() => import('../features/clusters/cluster-screen.tsx'), 'ClusterScreen'),
})

const triage = createRoute({
  getParentRoute: () => root,
  path: '/triage',
  component: lazyRouteComponent(() => import('./triage-page.tsx'), 'TriagePage'),
})

const map = createRoute({
  getParentRoute: () => root,
  path: '/map',
  component: lazyRouteComponent(() => import('../features/map/map-screen.tsx'), 'MapScreen'),
})

const explore = createRoute({
  getParentRoute: () => root,
  path: '/explore',
  component: lazyRouteComponent(() => import('../features/explore/explore-screen.tsx'), 'ExploreScreen'),
})

const saved = createRoute({
  getParentRoute: () => root,
  path: '/s/$code',
  component: lazyRouteComponent(() => import('../features/saved/saved-screen.tsx'), 'SavedScreen'),
})

const pair = createRoute({
  getParentRoute: () => root,
  path: '/wall/pair',
  component: lazyRouteComponent(() => import('../features/pair/pair-screen.tsx'), 'PairScreen'),
})

const compare = createRoute({
  getParentRoute: () => root,
  path: '/compare',
  component: lazyRouteComponent(() => import('../features/compare/compare-screen.tsx'), 'CompareScreen'),
})

const failover = createRoute({
  getParentRoute: () => root,
  path: '/failover',
  component: lazyRouteComponent(() => import('../features/failover/failover-screen.tsx'), 'FailoverScreen'),
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
