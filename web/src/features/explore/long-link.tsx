import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { makeLink } from '../../api/link-queries.ts'
import { copyAndSay, say } from '../../ui/toast.tsx'

/** Chats, tickets and some browsers cut links that are longer. */
const MOST_CHARACTERS = 1_800

/** Expressions can be longer than a link may be: then there is a short one to hand on. */
export function LongLink() {
  const { href } = useLocation()
  const [busy, setBusy] = useState(false)
  const characters = window.location.origin.length + href.length
  if (characters <= MOST_CHARACTERS) return null
  async function shorten() {
    setBusy(true)
    try {
      const { path, durable } = await makeLink({ kind: 'link', address: href, title: document.title.slice(0, 200) })
      const kept = durable ? '' : ' It is gone when the server restarts.'
      await copyAndSay(`${window.location.origin}${path}`, `Copied a short link: ${path}.${kept}`)
    } catch (error) {
      say(`No link was made. ${error instanceof Error ? error.message : ''}`)
    } finally {
      setBusy(false)
    }
  }
  return (
    <p className="note no-print">
      The address of this page has {characters} characters, more than chats and tickets keep whole.{' '}
      <button type="button" className="button" disabled={busy} onClick={() => void shorten()}>
        Copy a short link
      </button>
    </p>
  )
}
