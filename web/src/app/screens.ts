/** The screens, in the order of the navigation. */
export const SCREENS = [
  { path: '/fleet', title: 'Fleet' },
  { path: '/map', title: 'Map' },
  { path: '/triage', title: 'Triage' },
  { path: '/compare', title: 'Compare' },
  { path: '/explore', title: 'Explore' },
  { path: '/clusters', title: 'Clusters' },
] as const
