import './help-dialog.css'
import { useEffect, useRef, useState } from 'react'
import { type BoundKey, KEY_MAP, letLettersAct, lettersAct } from '../ui/key-map.ts'

const PLACES = [...new Set(Object.values(KEY_MAP).map(({ where }) => where))]
const KEYS = Object.keys(KEY_MAP) as BoundKey[]
const MAC = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Mounted while it is open. */
export function HelpDialog({ close }: { readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [letters, setLetters] = useState(lettersAct)
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
  }, [])
  return (
    <dialog ref={dialog} className="dialog help" aria-labelledby="help-title" onClose={close}>
      <h2 id="help-title">Keys and signs</h2>
      <div className="help-places">
        {PLACES.map((place) => (
          <section key={place}>
            <h3>{place}</h3>
            <dl className="help-keys">
              {KEYS.filter((key) => KEY_MAP[key].where === place).map((key) => (
                <div key={key}>
                  <dt>
                    <Keys of={key} />
                  </dt>
                  <dd>{KEY_MAP[key].does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <label className="help-letters">
        <input
          type="checkbox"
          checked={letters}
          onChange={({ target }) => {
            letLettersAct(target.checked)
            setLetters(target.checked)
          }}
        />
        Single letters act (off: only {MAC ? '⌘' : 'Ctrl'}-K does)
      </label>
      <p>
        A filled diamond is in trouble by its own doing; an outline diamond is in trouble because of something it calls;
        one with a dot, for a reason nobody can name yet. Gold double lines are seams: calls that cross from one cluster
        into another.
      </p>
      <button type="button" className="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  )
}

function Keys({ of }: { readonly of: BoundKey }) {
  const keys = of.includes(' ') ? of.split(' ') : of.split(/(?<=.)\+/)
  return keys.map((key) => <kbd key={key}>{key === 'Mod' ? (MAC ? '⌘' : 'Ctrl') : key}</kbd>)
}
