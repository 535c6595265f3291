import { useChangeSearch } from '../../scope/use-scope.ts'
import { LOOKS } from './fleet-columns.tsx'
import { CHOSEN_COLUMNS, type ChosenColumn } from './fleet-search.ts'

export function ColumnChoices({ cols }: { readonly cols: readonly ChosenColumn[] }) {
  const change = useChangeSearch()
  const shown = cols.length === 0 ? CHOSEN_COLUMNS : cols
  function toggle(name: ChosenColumn) {
    const next = CHOSEN_COLUMNS.filter((other) => (other === name) !== shown.includes(other))
    change({ cols: next.length === CHOSEN_COLUMNS.length ? '' : next.join(',') }, { replace: true })
  }
  return (
    <fieldset className="menu-panel menu-list" aria-label="Columns">
      {CHOSEN_COLUMNS.map((name) => (
        <label key={name} className="menu-choice">
          <input type="checkbox" checked={shown.includes(name)} onChange={() => toggle(name)} />
          {LOOKS[name === 'sr' ? 'success' : name]?.title}
        </label>
      ))}
    </fieldset>
  )
}
