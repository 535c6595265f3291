import { HighlightStyle } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Colours come from the page's tokens, so that the editor follows its theme. */
export const theme = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'transparent', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '2px', borderRadius: '4px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', maxHeight: '220px', overflow: 'auto' },
  '.cm-content': { padding: '8px 4px', caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--band)',
  },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'transparent',
    outline: '1px solid var(--control)',
  },
  '.cm-lintRange-error': { backgroundImage: 'none', borderBottom: '2px solid var(--crit)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', borderBottom: '2px dotted var(--warn)' },
  '.cm-tooltip': {
    border: '1px solid var(--control)',
    borderRadius: '6px',
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    maxWidth: '520px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '260px' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--raised)', color: 'var(--text)' },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--crit)' },
})

export const highlight = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--p95)', fontWeight: '600' },
  { tag: tags.function(tags.variableName), color: 'var(--p95)' },
  { tag: [tags.name, tags.standard(tags.variableName)], color: 'var(--p95)' },
  { tag: tags.string, color: 'var(--warn)' },
  { tag: [tags.number, tags.unit], color: 'var(--seam)' },
  { tag: tags.labelName, color: 'var(--ok)' },
  { tag: [tags.operator, tags.modifier, tags.arithmeticOperator, tags.logicOperator], color: 'var(--muted)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: tags.invalid, color: 'var(--crit)' },
])
