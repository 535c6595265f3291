import { type Domain, logPosition } from '../../charts/scales.ts'

const WIDTH = 92
const HEIGHT = 14
const INSET = 5

interface DumbbellProps {
  readonly a: number | null
  readonly b: number | null
  readonly domain: Domain
}

/** A as a ring, B as a cross, on the column's own log axis: told apart by shape, then by colour. */
export function Dumbbell({ a, b, domain }: DumbbellProps) {
  const xOf = (value: number) => INSET + logPosition(value, domain) * (WIDTH - 2 * INSET)
  const y = HEIGHT / 2
  const [x1, x2] = [a === null ? null : xOf(a), b === null ? null : xOf(b)]
  return (
    <svg className="dumbbell" width={WIDTH} height={HEIGHT} aria-hidden="true">
      <path className="dumbbell-axis" d={`M0 ${y}H${WIDTH}`} />
      {x1 !== null && x2 !== null && <path className="dumbbell-bar" d={`M${x1} ${y}H${x2}`} />}
      {x1 !== null && <circle className="dumbbell-a" cx={x1} cy={y} r="4" />}
      {x2 !== null && <path className="dumbbell-b" d={`M${x2 - 4} ${y - 4}l8 8m0-8l-8 8`} />}
    </svg>
  )
}
