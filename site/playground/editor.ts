// The editor. Its colours are custom properties of the site's style sheet, so they follow its scheme.

import { javascript, javascriptLanguage } from '@codemirror/lang-javascript'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { lintGutter, setDiagnostics } from '@codemirror/lint'
import { EditorState, Prec } from '@codemirror/state'
import { keymap } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { basicSetup, EditorView } from 'codemirror'
import { completeMembers } from './complete.ts'

export interface Editor {
  readonly text: () => string
  readonly setText: (text: string) => void
  /** Marks a line, from 1, with an error; without one, takes the mark away. */
  readonly mark: (error?: { readonly line: number; readonly text: string }) => void
  readonly destroy: () => void
}

interface EditorOptions {
  readonly label: string
  readonly text: string
  readonly isFixed?: boolean
  /** Ctrl-Enter. */
  readonly onRun?: () => void
  readonly onChange?: (text: string) => void
}

const highlighting = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--code-number)' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: 'var(--code-name)' },
  { tag: tags.comment, color: 'var(--code-muted)' },
])

const colours = EditorView.theme({
  '&': { backgroundColor: 'var(--code-background)', color: 'var(--vp-c-text-1)' },
  '.cm-content': { caretColor: 'var(--vp-c-text-1)', fontFamily: 'var(--vp-font-family-mono)' },
  '.cm-cursor': { borderLeftColor: 'var(--vp-c-text-1)' },
  '.cm-gutters': {
    backgroundColor: 'var(--code-background)',
    borderRight: '1px solid var(--vp-c-divider)',
    color: 'var(--code-muted)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--vp-c-bg-elv)',
    border: '1px solid var(--vp-c-divider)',
    color: 'var(--vp-c-text-1)',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--code-selection)',
    color: 'var(--vp-c-text-1)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--code-active)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--code-selection)',
  },
})

export function createEditor(parent: HTMLElement, options: EditorOptions): Editor {
  const run = (): boolean => {
    options.onRun?.()
    return true
  }
  const view = new EditorView({
    parent,
    doc: options.text,
    extensions: [
      Prec.highest(keymap.of([{ key: 'Mod-Enter', run }])),
      basicSetup,
      javascript(),
      javascriptLanguage.data.of({ autocomplete: completeMembers }),
      lintGutter(),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) options.onChange?.(state.doc.toString())
      }),
      syntaxHighlighting(highlighting),
      colours,
      EditorView.contentAttributes.of({ 'aria-label': options.label, tabindex: '0' }),
      EditorState.readOnly.of(options.isFixed ?? false),
    ],
  })
  return {
    text: () => view.state.doc.toString(),
    setText: (insert) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } }),
    mark(error) {
      const { doc } = view.state
      const line = error === undefined || error.line > doc.lines ? undefined : doc.line(error.line)
      const marks =
        line === undefined || error === undefined
          ? []
          : [{ from: line.from, to: line.to, severity: 'error' as const, message: error.text }]
      view.dispatch(setDiagnostics(view.state, marks))
    },
    destroy: () => view.destroy(),
  }
}
