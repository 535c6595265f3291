import { MAP_GROUPS, type MapGroup } from './groups.ts'

const WORDS: Readonly<Record<MapGroup, string>> = { workload: 'workload', ns: 'namespace', cluster: 'cluster' }

interface GroupChoiceProps {
  readonly group: MapGroup | ''
  /** What is drawn where nothing was chosen. */
  readonly shown: MapGroup
  readonly choose: (group: MapGroup | '') => void
}

/** What one box of the map stands for. */
export function GroupChoice({ group, shown, choose }: GroupChoiceProps) {
  return (
    <label className="map-group">
      A box is a{' '}
      <select
        className="field"
        value={group}
        onChange={({ target }) => choose(MAP_GROUPS.find((one) => one === target.value) ?? '')}
      >
        <option value="">{group === '' ? `${WORDS[shown]} (as it fits)` : 'as it fits'}</option>
        {MAP_GROUPS.map((one) => (
          <option key={one} value={one}>
            {WORDS[one]}
          </option>
        ))}
      </select>
    </label>
  )
}
