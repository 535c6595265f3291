/** Whether `text` matches a glob in which `*` stands for any run of characters; letter case does not count. */
export function matchesGlob(glob: string, text: string): boolean {
  const parts = glob.toLowerCase().split('*')
  const rest = text.toLowerCase()
  const [head = ''] = parts
  if (parts.length === 1) return rest === head
  const tail = parts.at(-1) ?? ''
  if (!rest.startsWith(head) || !rest.endsWith(tail) || rest.length < head.length + tail.length) return false
  let at = head.length
  for (const part of parts.slice(1, -1)) {
    const found = rest.indexOf(part, at)
    if (found < 0 || found + part.length > rest.length - tail.length) return false
    at = found + part.length
  }
  return true
}

/** An address matches with or without its port: `203.0.113.20` holds for `203.0.113.20:80`. */
export function matchesAddress(glob: string, address: string): boolean {
  return matchesGlob(glob, address) || matchesGlob(glob, address.replace(/:\d+$/, ''))
}
