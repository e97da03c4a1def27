// What a test did to its chains beside its source: an action chooses its line, a line its actions, and both an instant of the
// timeline, by the script of pages.

import { element, type Markup } from '../html.ts'
import { type SourceExcerpt, sourceExcerpt } from '../source-excerpt.ts'

/** Calls of a chain that came from one line, one after the other. */
export interface TestAction {
  /** The id of the chain's section. */
  readonly chain: string
  /** The line of the test; `undefined` if the call came from elsewhere. */
  readonly line: number | undefined
  /** Such as `eth_call` and `advance(200)`. */
  readonly words: readonly string[]
  /** The times of the chain before and after it. */
  readonly atMs: number
  readonly endMs: number
  /** Answer of the last call, which may be a transaction. */
  readonly hash?: string
  /** Why the last call failed. */
  readonly failure?: string
}

export const ACTION_STYLES = `
.story { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 0 24px; margin-bottom: .6rem; }
.story > ol { list-style: none; margin: .6rem 0 0; padding: 0; max-height: 30rem; overflow: auto; border: 1px solid var(--line); border-radius: 4px; }
.story .link { width: 100%; padding: 2px 8px; border-radius: 0; text-decoration: none; overflow-wrap: anywhere; }
.story .link:hover { text-decoration: underline; }
.story [aria-current] { background: color-mix(in srgb, var(--focus) 18%, var(--background)); }
.story pre .link { display: inline; width: auto; padding: 0; font: inherit; color: inherit; white-space: inherit; }
.story .at { color: var(--muted); }
@media (max-width: 800px) { .story { grid-template-columns: minmax(0, 1fr); } .story > ol { max-height: 15rem; } }
`

/** The most calls of an action that are named. */
const MOST_WORDS = 4

function actionItem({ chain, line, words, atMs, endMs, hash, failure }: TestAction): Markup {
  const shown = words.length > MOST_WORDS ? ['…', ...words.slice(-MOST_WORDS)] : words
  const data = {
    'data-chain': chain,
    'data-line': line,
    'data-at': atMs,
    'data-end': endMs,
    'data-hash': hash,
  }
  const failed = failure === undefined ? [] : [' ', element('span', { class: 'error' }, `✗ ${failure}`)]
  const at = element('span', { class: 'at' }, `${line ?? '–'}`.padStart(4))
  const button = { type: 'button', class: 'link', title: words.join(', '), ...data }
  return element('li', element('button', button, at, ` ${shown.join(', ')}`, failed))
}

/** The actions of a test and its source; nothing of what is not known. */
export function testStory(source: SourceExcerpt | undefined, actions: readonly TestAction[]): Markup[] {
  const lines = new Set(actions.flatMap(({ line }) => line ?? []))
  const shown =
    source === undefined ? [] : [element('div', { class: 'source' }, sourceExcerpt(source, lines))]
  if (actions.length === 0) return shown
  const list = element('ol', { 'aria-label': 'Actions of the test' }, actions.map(actionItem))
  return [element('div', { class: 'story' }, list, ...shown)]
}
