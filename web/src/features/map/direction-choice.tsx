import { DIRECTIONS, type Direction } from './geometry.ts'

const WORDS: Readonly<Record<Direction, string>> = { lr: 'to the right', tb: 'down' }

interface DirectionChoiceProps {
  readonly direction: Direction
  /** The default is told as nothing: it does not stand in links. */
  readonly choose: (direction: Direction | undefined) => void
}

/** Where calls lead on the map. */
export function DirectionChoice({ direction, choose }: DirectionChoiceProps) {
  return (
    <label className="map-group">
      Calls lead{' '}
      <select
        className="field"
        value={direction}
        onChange={({ target }) => choose(DIRECTIONS.find((one) => one === target.value && one !== 'lr'))}
      >
        {DIRECTIONS.map((one) => (
          <option key={one} value={one}>
            {WORDS[one]}
          </option>
        ))}
      </select>
    </label>
  )
}
