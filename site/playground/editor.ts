// The editor. Its colours are custom properties of the site's style sheet, so they follow its scheme.

import { javascript } from '@codemirror/lang-javascript'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorState, Prec } from '@codemirror/state'
import { keymap } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { basicSetup, EditorView } from 'codemirror'

export interface Editor {
  readonly text: () => string
  readonly setText: (text: string) => void
  readonly destroy: () => void
}

interface EditorOptions {
  readonly label: string
  readonly text: string
  readonly isFixed?: boolean
  /** Ctrl-Enter. */
  readonly onRun?: () => void
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
      syntaxHighlighting(highlighting),
      colours,
      EditorView.contentAttributes.of({ 'aria-label': options.label, tabindex: '0' }),
      EditorState.readOnly.of(options.isFixed ?? false),
    ],
  })
  return {
    text: () => view.state.doc.toString(),
    setText: (insert) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } }),
    destroy: () => view.destroy(),
  }
}
