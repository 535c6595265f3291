import { fittingStep } from '@goldseam/server/contract'
import { useState } from 'react'
import { useAskedForNewest } from '../../scope/refresh-now.ts'
import { useShownMoment } from '../../scope/shown-moment.ts'
import { useChangeSearch, useFields, useScope } from '../../scope/use-scope.ts'
import { useKey } from '../../ui/use-key.ts'
import { EditorRow } from './editor-row.tsx'
import { Explain } from './explain.tsx'
import {
  exploreFields,
  expressionSearch,
  expressionsIn,
  MOST_EXPRESSIONS,
  MOST_POINTS,
  pointsOf,
  stretchOf,
  type View,
} from './explore-search.ts'
import { ExploreToolbar } from './explore-toolbar.tsx'
import { HistoryList } from './history-list.tsx'
import { LongLink } from './long-link.tsx'
import { readPast, remember } from './past-expressions.ts'
import { ResultBlock } from './result-block.tsx'
import { syntaxProblem } from './syntax.ts'
import { isJoined } from './use-explore.ts'

/** Editors, answers, charts. What runs is in the address: a link asks the same again. */
export function Workbench({ clusters }: { readonly clusters: readonly string[] }) {
  const fields = useFields(exploreFields)
  const { on, view, join, step } = fields
  const { from, to, saved } = useScope()
  const change = useChangeSearch()
  const expressions = expressionsIn(fields)
  const [texts, setTexts] = useState(() => atLeastOne(expressions))
  const [seen, setSeen] = useState(() => expressions.join('\0'))
  const [active, setActive] = useState(0)
  const [past, setPast] = useState(readPast)
  const [runId, setRunId] = useState(() => Date.now())
  const [range, setRange] = useState(`${from} ${to}`)
  useShownMoment(runId)
  useAskedForNewest(() => setRunId(Date.now()))
  if (range !== `${from} ${to}`) {
    // Chosen now, it ends now: not when the expressions were run last.
    setRange(`${from} ${to}`)
    setRunId(Date.now())
  }
  if (seen !== expressions.join('\0')) {
    // Back and forward bring other expressions into the editors.
    setSeen(expressions.join('\0'))
    setTexts(atLeastOne(expressions))
  }
  const asked = on.length === 0 ? clusters : clusters.filter((name) => on.includes(name))
  const stretch = stretchOf(from, to, step, runId)
  const tooFine = pointsOf(stretch) > MOST_POINTS
  const canRun = texts.some((text) => text.trim() !== '') && texts.every((text) => syntaxProblem(text) === null)

  /** What is in the address now; the editors already say the same, or what is typed into them on purpose. */
  function goTo(next: readonly string[], shown: readonly string[]) {
    setTexts(atLeastOne(shown))
    setSeen(next.join('\0'))
    change(expressionSearch(next))
  }
  function go(wanted: readonly string[] = texts) {
    const given = wanted.filter((text) => text.trim() !== '')
    if (given.length === 0 || given.some((text) => syntaxProblem(text) !== null)) return
    setPast(remember(given, Date.now()))
    setRunId(Date.now())
    goTo(given, given)
  }
  function pick(promql: string) {
    const at = Math.min(active, texts.length - 1)
    go(texts.map((text, index) => (index === at ? promql : text)))
  }
  function remove(index: number) {
    const less = <T,>(list: readonly T[]) => list.filter((_, at) => at !== index)
    setActive(0)
    goTo(less(expressions), less(texts))
  }
  const add =
    texts.length < MOST_EXPRESSIONS && texts.every((text) => text.trim() !== '')
      ? () => {
          setActive(texts.length)
          setTexts([...texts, ''])
        }
      : null
  useKey('Mod+Enter', () => go())
  useKey('T', () => change({ view: view === 'table' ? undefined : 'table' }))
  const lettered = texts.length > 1
  return (
    <>
      {texts.map((text, index) => (
        <EditorRow
          // biome-ignore lint/suspicious/noArrayIndexKey: an expression is its letter
          key={index}
          index={index}
          lettered={lettered}
          text={text}
          clusters={clusters}
          change={(typed) => setTexts((all) => all.map((one, at) => (at === index ? typed : one)))}
          run={() => go()}
          focused={() => setActive(index)}
          remove={() => remove(index)}
        />
      ))}
      <ExploreToolbar
        clusters={clusters}
        asked={asked}
        view={view}
        join={join}
        step={step}
        usedStep={stretch.step}
        canRun={canRun}
        run={() => go()}
        add={add}
        pick={pick}
        choose={(names) => change({ on: names.length === clusters.length ? undefined : names.join(',') })}
        changeJoin={(next) => change({ join: next === 'each' ? undefined : next })}
        changeView={(next: View) => change({ view: next === 'lines' ? undefined : next })}
        changeStep={(next) => change({ step: next })}
      />
      <LongLink />
      <HistoryList past={past} changed={setPast} run={pick} />
      {tooFine && (
        <TooFine
          points={pointsOf(stretch)}
          fitting={fittingStep(stretch.to - stretch.from, MOST_POINTS)}
          use={(seconds) => change({ step: `${seconds}s` })}
        />
      )}
      {expressions.map(
        (promql, index) =>
          !tooFine &&
          syntaxProblem(promql) === null && (
            <ResultBlock
              // biome-ignore lint/suspicious/noArrayIndexKey: an expression is its letter
              key={index}
              index={index}
              lettered={expressions.length > 1}
              run={{ id: runId, promql, stretch, view, join, saved }}
              asked={asked}
            />
          ),
      )}
      {expressions.length === 0 && <Start />}
      <Explain clusters={asked} stretch={stretch} instant={view === 'table'} joined={isJoined(asked, { join })} />
    </>
  )
}

function atLeastOne(expressions: readonly string[]): readonly string[] {
  return expressions.length === 0 ? [''] : expressions
}

interface TooFineProps {
  readonly points: number
  /** The shortest step that is answered, seconds. */
  readonly fitting: number
  readonly use: (seconds: number) => void
}

function TooFine({ points, fitting, use }: TooFineProps) {
  return (
    <p className="note" role="alert">
      {points} points a series are more than the {MOST_POINTS} that Prometheus answers.
      <button type="button" className="button" onClick={() => use(fitting)}>
        Use a step of {fitting} s
      </button>
    </p>
  )
}

function Start() {
  return (
    <p className="muted explore-start">
      Type an expression, or take an example; <kbd>Ctrl</kbd> <kbd>Enter</kbd> asks every cluster.
    </p>
  )
}
