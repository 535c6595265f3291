import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, syntaxHighlighting } from '@codemirror/language'
import { Compartment, EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap, placeholder } from '@codemirror/view'
import { PromQLExtension } from '@prometheus-io/codemirror-promql'
import { useEffect, useRef, useState } from 'react'
import { completionOver } from './completion-over.ts'
import { highlight, theme } from './editor-theme.ts'

interface PromqlEditorProps {
  readonly value: string
  /** Said aloud. */
  readonly label: string
  /** All there are: completion says in how many of them a name is known. */
  readonly clusters: readonly string[]
  readonly change: (text: string) => void
  readonly run: () => void
}

/**
 * PromQL with completion. It lives in a shadow root: there the editor's styles are adopted sheets, which a strict
 * content policy allows, and ours do not reach in.
 */
export function PromqlEditor({ value, label, clusters, change, run }: PromqlEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const latest = useRef({ change, run })
  const [named] = useState(() => new Compartment())
  useEffect(() => {
    latest.current = { change, run }
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: later values are dispatched below, not a new editor
  useEffect(() => {
    if (!host.current) return
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    const promql = new PromQLExtension().setComplete({ completeStrategy: completionOver(clusters) })
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: value,
        extensions: [
          keymap.of([
            { key: 'Mod-Enter', run: () => runNow(latest.current.run) },
            { key: 'Shift-Enter', run: () => runNow(latest.current.run) },
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...historyKeymap,
            ...defaultKeymap,
          ]),
          history(),
          drawSelection(),
          bracketMatching(),
          closeBrackets(),
          autocompletion({ icons: false }),
          promql.asExtension(),
          syntaxHighlighting(highlight),
          theme,
          EditorView.lineWrapping,
          named.of(EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' })),
          placeholder('PromQL, asked of each cluster'),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) latest.current.change(state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    return () => {
      editor.destroy()
      promql.destroy()
      view.current = null
    }
  }, [])
  useEffect(() => {
    const editor = view.current
    if (!editor || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])
  useEffect(() => {
    const attributes = EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' })
    view.current?.dispatch({ effects: named.reconfigure(attributes) })
  }, [label, named])
  useEffect(() => {
    const element = host.current
    // What is typed here is text, not the page's one-letter keys: those only see the host, which is no input.
    function keep(event: KeyboardEvent) {
      if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation()
    }
    element?.addEventListener('keydown', keep)
    return () => element?.removeEventListener('keydown', keep)
  }, [])
  return <div className="promql-editor" ref={host} />
}

function runNow(run: () => void): boolean {
  run()
  return true
}
