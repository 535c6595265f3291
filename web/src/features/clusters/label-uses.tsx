import type { LabelUse } from '@goldseam/server/contract'
import { Fragment } from 'react'

interface LabelUsesProps {
  readonly dialect: string
  readonly uses: readonly LabelUse[]
}

/** Which label of a mesh's metrics became the workload, the namespace, the direction and so on. */
export function LabelUses({ dialect, uses }: LabelUsesProps) {
  if (uses.length === 0) return null
  return (
    <table className="plain-table clusters-labels" aria-label={`What the labels of ${dialect} are read as`}>
      <thead>
        <tr>
          <th scope="col">Read as</th>
          <th scope="col">Labels</th>
          <th scope="col">How</th>
        </tr>
      </thead>
      <tbody>
        {uses.map(({ says, labels, note }) => (
          <tr key={labels.join(' ')}>
            <th scope="row" data-label="Read as">
              {says}
            </th>
            <td data-label="Labels">
              <span>
                {labels.map((label, index) => (
                  <Fragment key={label}>
                    {index > 0 && ' '}
                    <code>{label}</code>
                  </Fragment>
                ))}
              </span>
            </td>
            <td data-label="How">{note}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
