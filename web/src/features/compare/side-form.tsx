import { useState } from 'react'
import { joinSide, splitSide } from './compare-search.ts'

interface SideFormProps {
  readonly side: 'a' | 'b'
  readonly text: string
  readonly places: readonly string[]
  readonly change: (text: string) => void
}

const WINDOWS = [
  { value: '', label: "the page's window" },
  { value: 'now-1h~now-30m', label: '1 h to 30 min ago' },
  { value: 'now-1470m~now-1440m', label: 'half an hour, a day ago' },
  { value: 'now-10110m~now-10080m', label: 'half an hour, a week ago' },
]

/** One side: what of, and when. Typed or picked; it stands in the link as it is written. */
export function SideForm({ side, text, places, change }: SideFormProps) {
  const { place, window } = splitSide(text)
  const [typed, setTyped] = useState(place)
  const [seen, setSeen] = useState(place)
  if (seen !== place) {
    setSeen(place)
    setTyped(place)
  }
  const name = side.toUpperCase()
  const known = WINDOWS.some(({ value }) => value === window)
  return (
    <div className="compare-side">
      <span className="compare-key" data-side={side}>
        {name}
      </span>
      <input
        className="field"
        aria-label={`${name}: cluster, namespace or workload`}
        list="compare-places"
        placeholder={side === 'a' ? 'everything' : text === '' ? 'the window before' : 'everything'}
        value={typed}
        spellCheck={false}
        onChange={({ target }) => {
          setTyped(target.value)
          // Picked from the list; what is typed waits for Enter.
          if (places.includes(target.value)) change(joinSide(target.value, window))
        }}
        onKeyDown={({ key }) => key === 'Enter' && change(joinSide(typed, window))}
        onBlur={() => typed !== place && change(joinSide(typed, window))}
      />
      <select
        className="field"
        aria-label={`${name}: window`}
        value={window}
        onChange={({ target }) => change(joinSide(typed, target.value))}
      >
        {WINDOWS.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        {!known && <option value={window}>{window}</option>}
      </select>
    </div>
  )
}
