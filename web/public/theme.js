// Runs before the first paint so that a dark screen never flashes white. Plain script: the policy allows no inline code.
;(() => {
  const known = ['light', 'dark', 'auto']
  const linked = new URLSearchParams(location.search).get('theme')
  let stored = null
  try {
    stored = localStorage.getItem('goldseam.theme')
  } catch {
    // Storage may be forbidden; the system's choice holds then.
  }
  const theme = [linked, stored].find((candidate) => known.includes(candidate)) ?? 'auto'
  document.documentElement.dataset.theme = theme
})()
