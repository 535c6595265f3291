import './saved.css'
import type { SavedLink } from '@goldseam/server/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Loaded } from '../../answers/loaded.tsx'
import { linkQuery } from '../../api/link-queries.ts'
import { ApiProblem } from '../../api/problem.ts'
import { stretch } from '../../format/stretch.ts'
import { useScope } from '../../scope/use-scope.ts'
import { savedAddress } from './saved-address.ts'

/** `/s/CODE`: leads where the code leads; what cannot be led to says what it was. */
export function SavedScreen() {
  const { code } = useParams({ from: '/s/$code' })
  const query = useQuery(linkQuery(code))
  return (
    <Loaded
      query={query}
      waiting={<p className="muted">Looking up the link {code}...</p>}
      problem={(error) => (error instanceof ApiProblem && error.status === 404 ? <NoSuchLink code={code} /> : null)}
    >
      {(link) => (link.address === null ? <Expired link={link} /> : <Going link={link} />)}
    </Loaded>
  )
}

function Going({ link }: { readonly link: SavedLink }) {
  const router = useRouter()
  const href = savedAddress(link)
  useEffect(() => {
    if (href !== null) router.history.replace(href)
  }, [router, href])
  return href === null ? <NoSuchLink code={link.code} /> : <p className="muted">Opening {link.title}</p>
}

function NoSuchLink({ code }: { readonly code: string }) {
  return (
    <section className="saved-gone">
      <h1>There is no link {code}</h1>
      <p>
        Nobody made it on this Goldseam, or it was deleted. Codes hold digits and letters, without 0, 1, I, L, O and U;
        capitals do not matter.
      </p>
      <Link to="/fleet" className="button">
        Show the fleet
      </Link>
    </section>
  )
}

function Expired({ link }: { readonly link: SavedLink }) {
  const { tz } = useScope()
  return (
    <section className="saved-gone">
      <h1>The link {link.code} has expired</h1>
      <p>
        It was "{link.title}", made on {stretch(Date.parse(link.createdAt), null, tz)}
        {link.expiresAt && ` and kept until ${stretch(Date.parse(link.expiresAt), null, tz)}`}.
      </p>
      {link.verdict && <p>What it said: {link.verdict}</p>}
      <Link to="/fleet" className="button">
        Show the fleet
      </Link>
    </section>
  )
}
