import { useEffect, useRef } from 'react'

const KEYS = [
  ['/', 'filter the table'],
  ['j  k', 'next and previous row'],
  ['Enter', 'open the row'],
  ['u', 'up to the fleet'],
  ['s', 'suspects: the argument in full'],
  ['.', 'apply the held order'],
  ['[  ]', 'on the map: previous and next suspect'],
  ['T', 'on the map: the same as a table'],
  ['t', 'time range'],
  ['p', 'pause or go on'],
  ['r', 'refresh now'],
  ['Y', 'freeze the view: a link that shows this moment for good'],
  ['Esc', 'close or clear'],
  ['?', 'this help'],
] as const

/** Mounted while it is open. */
export function HelpDialog({ close }: { readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
  }, [])
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="help-title" onClose={close}>
      <h2 id="help-title">Keys and signs</h2>
      <dl className="help-keys">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p>
        A filled diamond is in trouble by its own doing; an outline diamond is in trouble because of something it calls;
        one with a dot, for a reason nobody can name yet. Gold double lines are seams: calls that cross from one cluster
        into another.
      </p>
      <button type="button" className="button" onClick={close}>
        Close
      </button>
    </dialog>
  )
}
