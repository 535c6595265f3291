import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { podsQuery } from '../../api/workload-parts.ts'
import { parseWorkloadId } from '../../format/workload-name.ts'
import { useAsking } from '../../scope/use-asking.ts'
import { joinSide, type SideParts, splitSide } from './compare-search.ts'
import { WindowForm, windowName } from './window-form.tsx'

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
const ANOTHER = 'another'

/** One side: what of, which version of it, and when. Typed or picked; it stands in the link as it is written. */
export function SideForm({ side, text, places, change }: SideFormProps) {
  const parts = splitSide(text)
  const { place, version, window } = parts
  const [typed, setTyped] = useState(place)
  const [seen, setSeen] = useState(place)
  const [typing, setTyping] = useState(false)
  if (seen !== place) {
    setSeen(place)
    setTyped(place)
  }
  const name = side.toUpperCase()
  const known = WINDOWS.some(({ value }) => value === window)
  const set = (part: Partial<SideParts>) => change(joinSide({ ...parts, ...part }))
  // Another workload has other versions.
  const setPlace = (next: string) => set({ place: next, version: next.trim() === place ? version : '' })
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
          if (places.includes(target.value)) setPlace(target.value)
        }}
        onKeyDown={({ key }) => key === 'Enter' && setPlace(typed)}
        onBlur={() => typed !== place && setPlace(typed)}
      />
      <VersionChoice side={name} place={place} version={version} choose={(next) => set({ version: next })} />
      <select
        className="field"
        aria-label={`${name}: window`}
        value={typing ? ANOTHER : window}
        onChange={({ target }) => {
          setTyping(target.value === ANOTHER)
          if (target.value !== ANOTHER) set({ place: typed, window: target.value })
        }}
      >
        {WINDOWS.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        {!known && <option value={window}>{windowName(window)}</option>}
        <option value={ANOTHER}>another window...</option>
      </select>
      {typing && (
        <WindowForm
          side={name}
          choose={(next) => {
            setTyping(false)
            set({ place: typed, window: next })
          }}
        />
      )}
    </div>
  )
}

interface VersionChoiceProps {
  readonly side: string
  readonly place: string
  readonly version: string
  readonly choose: (version: string) => void
}

/** Versions are told by the pods of a workload; of anything else there are none. */
function VersionChoice({ side, place, version, choose }: VersionChoiceProps) {
  const id = parseWorkloadId(place)
  const asking = useAsking()
  const query = useQuery({
    ...podsQuery(id ?? { cluster: '', namespace: '', name: '' }, asking),
    enabled: id !== null,
    refetchInterval: false,
  })
  const told = (query.data?.pods ?? []).flatMap((pod) => pod.version ?? [])
  const versions = [...new Set([...told, version])].filter(Boolean).sort()
  if (id === null || versions.length === 0) return null
  return (
    <select
      className="field"
      aria-label={`${side}: version`}
      value={version}
      onChange={({ target }) => choose(target.value)}
    >
      <option value="">every version</option>
      {versions.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}
