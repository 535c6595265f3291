/**
 * What goes out with every request, from what the config names. Names of headers have no letter case: one that was
 * written as `User-Agent` would otherwise go out beside ours.
 */
export function requestHeaders(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const named = Object.keys(given).some((name) => name.toLowerCase() === 'user-agent')
  return named ? given : { 'user-agent': 'goldseam', ...given }
}
