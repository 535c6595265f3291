import { EXAMPLES } from './examples.ts'
import { JOINS, type Join, VIEWS, type View } from './explore-search.ts'

const VIEW_WORDS: Record<View, string> = {
  lines: 'Lines',
  each: 'Per cluster',
  table: 'Table',
  heat: 'Heat',
}

const JOIN_WORDS: Record<Join, string> = { each: 'Each cluster', added: 'Added up' }

interface ExploreToolbarProps {
  readonly clusters: readonly string[]
  readonly asked: readonly string[]
  readonly view: View
  readonly join: Join
  readonly step: string
  readonly usedStep: number
  readonly canRun: boolean
  readonly run: () => void
  /** One more expression; null while there is room in those that are there, or there are enough. */
  readonly add: (() => void) | null
  readonly pick: (promql: string) => void
  readonly choose: (clusters: readonly string[]) => void
  readonly changeJoin: (join: Join) => void
  readonly changeView: (view: View) => void
  readonly changeStep: (step: string) => void
}

export function ExploreToolbar(props: ExploreToolbarProps) {
  const { clusters, asked, view, join, step, usedStep, canRun, run, add, pick, choose } = props
  const { changeJoin, changeView, changeStep } = props
  function toggle(name: string) {
    const next = asked.includes(name) ? asked.filter((other) => other !== name) : [...asked, name]
    if (next.length > 0) choose(clusters.filter((cluster) => next.includes(cluster)))
  }
  return (
    <div className="toolbar no-print">
      <button type="button" className="button button-primary" disabled={!canRun} onClick={run} title="Ctrl-Enter">
        Run
      </button>
      <button type="button" className="button" disabled={add === null} onClick={() => add?.()}>
        Add expression
      </button>
      <fieldset className="facets" aria-label="Clusters to ask">
        {clusters.map((name) => (
          <button
            key={name}
            type="button"
            className="facet"
            aria-pressed={asked.includes(name)}
            onClick={() => toggle(name)}
          >
            {name}
          </button>
        ))}
      </fieldset>
      {asked.length > 1 && (
        <fieldset className="facets" aria-label="Answers of the clusters">
          {JOINS.map((name) => (
            <button
              key={name}
              type="button"
              className="facet"
              aria-pressed={join === name}
              title={name === 'added' ? 'One answer over all clusters, where it can be made of each one’s' : undefined}
              onClick={() => changeJoin(name)}
            >
              {JOIN_WORDS[name]}
            </button>
          ))}
        </fieldset>
      )}
      <fieldset className="facets" aria-label="View">
        {VIEWS.map((name) => (
          <button
            key={name}
            type="button"
            className="facet"
            aria-pressed={view === name}
            onClick={() => changeView(name)}
          >
            {VIEW_WORDS[name]}
          </button>
        ))}
      </fieldset>
      <label className="explore-step">
        <span className="muted">step</span>
        <input
          className="field"
          size={6}
          placeholder={`${usedStep}s`}
          defaultValue={step}
          key={step}
          spellCheck={false}
          onKeyDown={(event) => event.key === 'Enter' && changeStep(event.currentTarget.value.trim())}
          onBlur={({ currentTarget }) => currentTarget.value.trim() !== step && changeStep(currentTarget.value.trim())}
        />
      </label>
      <Picker label="Examples" options={EXAMPLES.map(({ title, promql }) => ({ title, promql }))} pick={pick} />
    </div>
  )
}

interface PickerProps {
  readonly label: string
  readonly options: readonly { readonly title: string; readonly promql: string }[]
  readonly pick: (promql: string) => void
}

function Picker({ label, options, pick }: PickerProps) {
  return (
    <select
      className="field explore-picker"
      aria-label={label}
      value=""
      onChange={({ target }) => {
        const chosen = options[Number(target.value)]
        if (chosen) pick(chosen.promql)
      }}
    >
      <option value="">{label}</option>
      {options.map(({ title }, index) => (
        <option key={title} value={index}>
          {title.length > 90 ? `${title.slice(0, 89)}…` : title}
        </option>
      ))}
    </select>
  )
}
