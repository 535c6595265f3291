import { useState } from 'react'
import { makeLink } from '../api/link-queries.ts'
import { frozenLink } from '../scope/links.ts'
import { copyAndSay, say } from '../ui/toast.tsx'
import type { Share } from './use-share.ts'

/** Has the server keep what is on screen, `link` the address or `evidence` the answers too, and copies the short link. */
export function useKeptLink(share: Share): {
  readonly busy: boolean
  readonly keep: (kind: 'link' | 'evidence') => Promise<void>
} {
  const [busy, setBusy] = useState(false)
  async function keep(kind: 'link' | 'evidence') {
    setBusy(true)
    try {
      const address = frozenLink(share.place, share.atMs())
      const made = await makeLink({ kind, address, title: document.title.slice(0, 200) })
      const kept = made.durable ? '' : ' It is gone when the server restarts.'
      const less = made.leftOut.length === 0 ? '' : ` Too large to keep: ${made.leftOut.join(', ')}.`
      const what = kind === 'link' ? 'Copied a short link' : 'Evidence saved, its link copied'
      await copyAndSay(`${window.location.origin}${made.path}`, `${what}: ${made.path}.${kept}${less}`)
    } catch (error) {
      say(`No link was made. ${error instanceof Error ? error.message : ''}`)
    } finally {
      setBusy(false)
    }
  }
  return { busy, keep }
}
