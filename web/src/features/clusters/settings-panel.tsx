import type { ClusterDetail } from '@goldseam/server/contract'

/** The config as it takes effect here, defaults included. Of secrets only that there are some. */
export function SettingsPanel({ settings }: Pick<ClusterDetail, 'settings'>) {
  if (settings.length === 0) return null
  return (
    <details className="panel clusters-settings">
      <summary>The config as it takes effect</summary>
      <table className="plain-table">
        <caption className="sr-only">Settings of this cluster; secrets are not shown</caption>
        <thead>
          <tr>
            <th scope="col">Setting</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {settings.map(({ name, value }) => (
            <tr key={name}>
              <th scope="row" data-label="Setting">
                <code>{name}</code>
              </th>
              <td data-label="Value">{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
