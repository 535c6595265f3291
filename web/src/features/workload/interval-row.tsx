import type { Interval } from '@goldseam/server/contract'
import { latencyBound } from '../../format/latency.ts'
import { MINUS, printed } from '../../format/quantity.ts'
import { shortCount } from '../../format/rate.ts'
import { ratio } from '../../format/ratio.ts'
import { success } from '../../format/success.ts'

interface IntervalRowProps {
  readonly interval: Interval
  /** How an instant of the window is written. */
  readonly moment: (atMs: number, withSeconds: boolean) => string
}

export const PERCENTILES = ['p50', 'p95', 'p99', 'p999'] as const

export function IntervalRow({ interval, moment }: IntervalRowProps) {
  const { at, good, bad, successRatio, minSeconds, maxSeconds, change, changeRatio } = interval
  const idle = good === null || good + (bad ?? 0) === 0
  // Beyond the last bucket there is no bound; without any bucket there is no least either.
  const isOffScale = minSeconds !== null && maxSeconds === null
  const size = changeRatio === null ? '' : printed(ratio(changeRatio))
  return (
    <tr data-marked={change.startsWith('+')}>
      <th scope="row">{moment(Date.parse(at), true)}</th>
      <td>{good === null ? 'no traffic' : `${shortCount(good)}/${shortCount(bad ?? 0)}`}</td>
      <td>{successRatio === null ? '' : printed(success(successRatio, bad))}</td>
      <td>{idle ? '' : ms(minSeconds)}</td>
      {PERCENTILES.map((name) => (
        <td key={name}>{ms(interval[name])}</td>
      ))}
      <td>{idle ? '' : isOffScale ? 'off scale' : ms(maxSeconds)}</td>
      <td title={size === '' ? undefined : `p99 ${size} the median of the intervals before`}>
        <span aria-hidden="true">{change.replaceAll('-', MINUS)}</span>
        <span className="sr-only">{change === '' ? '' : `changed ${size}`}</span>
      </td>
    </tr>
  )
}

function ms(seconds: number | null): string {
  if (seconds === null) return ''
  const value = seconds * 1000
  return value < 10
    ? String(Number(value.toFixed(1)))
    : value < 1e5
      ? String(Math.round(value))
      : printed(latencyBound(seconds))
}
