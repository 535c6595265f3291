import { type ChangeEvent, useEffect, useState } from 'react'
import { readWallNote, removeWallNote, type WallNote, writeWallNote } from '../api/wall-note.ts'
import { clock } from '../format/clock.ts'

/** Tells everybody in front of a wall that somebody is on it, and until when. */
export function WallNoteForm() {
  const [values, setValues] = useState({ by: '', text: '', minutes: '60' })
  const [standing, setStanding] = useState<WallNote | null>(null)
  const [said, setSaid] = useState('')
  useEffect(() => {
    readWallNote().then(setStanding, () => undefined)
  }, [])
  const done = (words: string) =>
    [
      (note: WallNote | null) => {
        setStanding(note)
        setSaid(words)
      },
      (error: Error) => setSaid(error.message),
    ] as const
  const set = (name: keyof typeof values) => (event: ChangeEvent<HTMLInputElement>) => {
    const { value } = event.currentTarget
    setValues((before) => ({ ...before, [name]: value }))
  }
  const put = () => {
    const { by, text, minutes } = values
    writeWallNote({ by: by.trim(), text: text.trim(), minutes: Number(minutes) }).then(...done('It is on the walls.'))
  }
  return (
    <section className="wall-note">
      <h3>Is somebody on it?</h3>
      <p>One line for all walls; it goes by itself.</p>
      <label>
        Who{' '}
        <input className="field" maxLength={24} placeholder="who is signed in" value={values.by} onChange={set('by')} />
      </label>
      <label>
        Does what <input className="field" maxLength={80} value={values.text} onChange={set('text')} />
      </label>
      <label>
        For how many minutes{' '}
        <input className="field" inputMode="numeric" value={values.minutes} onChange={set('minutes')} />
      </label>
      <p>
        <button type="button" className="button" onClick={put}>
          Put it on the walls
        </button>{' '}
        {standing !== null && (
          <button type="button" className="button" onClick={() => void removeWallNote().then(...done('Taken down.'))}>
            Take down: {standing.by} until {clock(standing.until, 'local')}, {standing.text}
          </button>
        )}{' '}
        <span role="status">{said}</span>
      </p>
    </section>
  )
}
