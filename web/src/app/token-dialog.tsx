import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { signIn } from '../api/access.ts'

/** Asks for a token until one is accepted. */
export function TokenDialog({ done }: { readonly done: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [refused, setRefused] = useState('')
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
  }, [])
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const token = String(new FormData(event.currentTarget).get('token') ?? '').trim()
    signIn(token).then(done, (error: Error) => setRefused(error.message))
  }
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby="sign-in-title"
      onCancel={(event) => event.preventDefault()}
    >
      <h2 id="sign-in-title">Sign in</h2>
      <form onSubmit={submit}>
        <p>
          This Goldseam shows its numbers to who has a token. <code>npm start -- token NAME</code> makes one.
        </p>
        <label>
          Token <input className="field" name="token" type="password" autoComplete="current-password" required={true} />
        </label>{' '}
        <button type="submit" className="button">
          Sign in
        </button>
        {refused !== '' && <p role="alert">{refused}</p>}
      </form>
    </dialog>
  )
}
