import './wall-dialog.css'
import { type ChangeEvent, useEffect, useMemo, useRef, useState } from 'react'
import { addWall } from '../api/access.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { WallNoteForm } from './wall-note-form.tsx'
import { chromiumFlags, listOf, systemdUnit, wallAddress } from './wall-setup.ts'

const FIELDS = [
  { name: 'inch', label: 'Screen, inches', usual: '55' },
  { name: 'dist', label: 'Farthest seat, metres', usual: '4' },
  { name: 'c', label: 'Only clusters, as east,west', usual: 'all' },
  { name: 'ns', label: 'Only namespaces', usual: 'all' },
  { name: 'pages', label: 'Pages, as east+west,north', usual: 'as needed' },
  { name: 'rotate', label: 'Seconds a page stays', usual: '15' },
  { name: 'night', label: 'Dim from-until, hours, as 21-6', usual: 'never' },
  { name: 'safe', label: 'Kept free at the edges, per cent', usual: '2.5' },
  { name: 'theme', label: 'Theme, dark or light', usual: 'dark' },
] as const

/** What somebody who hangs a screen on a wall needs: its address, and how it opens by itself. */
export function WallDialog({ close }: { readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [token, setToken] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
  }, [])
  const address = useMemo(() => wallAddress(location.origin, values, token), [values, token])
  const make = () => {
    const name = (values.name ?? '').trim() || 'wall'
    addWall({ name, c: listOf(values.c), ns: listOf(values.ns) }).then(
      (made) => {
        setToken(made)
        setSaid(made === null ? 'Walls need no token here.' : `${name} has a token now: it is in the address below.`)
      },
      (error: Error) => setSaid(error.message),
    )
  }
  const set = (name: string) => (event: ChangeEvent<HTMLInputElement>) => {
    const { value } = event.currentTarget
    setValues((before) => ({ ...before, [name]: value }))
  }
  const unit = systemdUnit(address)
  return (
    <dialog ref={dialog} className="dialog wall-dialog" aria-labelledby="wall-title" onClose={close}>
      <h2 id="wall-title">A wall for a screen</h2>
      {FIELDS.map(({ name, label, usual }) => (
        <label key={name}>
          {label} <input className="field" placeholder={usual} value={values[name] ?? ''} onChange={set(name)} />
        </label>
      ))}
      <label>
        Name of the screen{' '}
        <input className="field" placeholder="wall" value={values.name ?? ''} onChange={set('name')} />
      </label>
      <p>
        <button type="button" className="button" onClick={make}>
          Make a token for it
        </button>{' '}
        <span role="status">{said}</span>
      </p>
      <h3>Address</h3>
      <pre>{address}</pre>
      <CopyButton text={() => address}>Copy the address</CopyButton>
      <p>
        <a href={`${address.replace(/#.*/, '')}${address.includes('?') ? '&' : '?'}calibrate=1`}>Eye chart</a>: stand at
        the farthest seat; the third line must be easy.
      </p>
      <h3>By hand</h3>
      <pre>chromium {chromiumFlags(address).join(' \\\n  ')}</pre>
      <h3>As a systemd unit</h3>
      <pre>{unit}</pre>
      <CopyButton text={() => unit}>Copy the unit</CopyButton>
      <WallNoteForm />
      <p>
        <button type="button" className="button" onClick={close}>
          Close
        </button>
      </p>
    </dialog>
  )
}
