/**
 * A tool's URL with its `{placeholders}` filled in, each percent-encoded as one value. Null for what is left without
 * a value, and for anything but http and https: the result becomes a link.
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string | undefined>>): string | null {
  let whole = true
  const filled = template.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) whole = false
    // A path of dots alone would climb out of the tool's own pages.
    return encodeURIComponent(value ?? '').replace(/^\.{1,2}$/, (dots) => dots.replaceAll('.', '%2E'))
  })
  if (!whole || !URL.canParse(filled)) return null
  return /^https?:$/.test(new URL(filled).protocol) ? filled : null
}

/** Whether a name fits a glob, in which `*` stands for anything. */
export function fitsGlob(glob: string, name: string): boolean {
  const parts = glob.split('*')
  const [first = '', last = ''] = [parts[0], parts.at(-1)]
  if (parts.length === 1) return glob === name
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const next = name.indexOf(part, at)
    if (next < 0) return false
    at = next + part.length
  }
  return at <= name.length - last.length
}
