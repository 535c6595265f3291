import './help-dialog.css'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { changedKeys, changeKeys, keyFor, letLettersAct, lettersAct } from '../ui/key-choice.ts'
import { type BoundKey, KEY_MAP } from '../ui/key-map.ts'
import { keyTrouble } from './key-trouble.ts'

const PLACES = [...new Set(Object.values(KEY_MAP).map(({ where }) => where))]
const KEYS = Object.keys(KEY_MAP) as BoundKey[]
const MAC = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Mounted while it is open. */
export function HelpDialog({ close }: { readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [letters, setLetters] = useState(lettersAct)
  const [waiting, setWaiting] = useState<BoundKey | null>(null)
  const [said, setSaid] = useState('')
  const press = (event: KeyboardEvent<HTMLDialogElement>) => {
    if (waiting === null || ['Shift', 'Control', 'Alt', 'Meta', 'Tab'].includes(event.key)) return
    event.preventDefault()
    if (event.key !== 'Escape') {
      const trouble = keyTrouble(event.key, waiting)
      setSaid(trouble ?? `${event.key}: ${KEY_MAP[waiting].does}.`)
      if (trouble === null) changeKeys({ ...changedKeys(), [waiting]: event.key })
    }
    setWaiting(null)
  }
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
  }, [])
  return (
    <dialog ref={dialog} className="dialog help" aria-labelledby="help-title" onClose={close} onKeyDown={press}>
      <h2 id="help-title">Keys and signs</h2>
      <div className="help-places">
        {PLACES.map((place) => (
          <section key={place}>
            <h3>{place}</h3>
            <dl className="help-keys">
              {KEYS.filter((key) => KEY_MAP[key].where === place).map((key) => (
                <div key={key}>
                  <dt>
                    {key.length === 1 ? (
                      <button
                        type="button"
                        className="help-key"
                        aria-label={`${keyFor(key)}: change this key`}
                        title="Change this key"
                        aria-pressed={waiting === key}
                        onClick={() => setWaiting(key)}
                      >
                        {waiting === key ? <kbd>press a key</kbd> : <kbd>{keyFor(key)}</kbd>}
                      </button>
                    ) : (
                      <Keys of={key} />
                    )}
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
        A key that is in the way can be another one: click it here, and press that one. This browser remembers it.{' '}
        {Object.keys(changedKeys()).length > 0 && (
          <button
            type="button"
            className="button"
            onClick={() => {
              changeKeys({})
              setSaid('All keys are as they were.')
            }}
          >
            As they were
          </button>
        )}{' '}
        <span role="status">{said}</span>
      </p>
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
