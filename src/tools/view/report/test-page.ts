// The page of a failed test.

import script from '../../pages/trace.ts?page'
import { element, type Markup } from '../html.ts'
import { renderPage } from '../page.ts'
import { TRACE_STYLES } from '../trace/styles.ts'

export const REPORT_STYLES = `
header { border-bottom: 1px solid var(--line); margin-bottom: 1rem; }
header p { color: var(--muted); margin: .25rem 0; overflow-wrap: anywhere; }
section > h2 { border-top: 1px solid var(--line); padding-top: 1.25rem; }
pre { background: var(--surface); border: 1px solid var(--line); border-radius: 4px; padding: .6rem .75rem; margin: .5rem 0; overflow: auto; }
pre.message { border-left: 3px solid var(--failed); white-space: pre-wrap; overflow-wrap: anywhere; }
pre.stack { width: max-content; min-width: 100%; }
.scrolling pre { overflow: visible; }
iframe.timeline { width: 100%; height: 40rem; border: 1px solid var(--line); border-radius: 4px; }
th, td { white-space: nowrap; }
td:has(.error), td.wide { white-space: normal; min-width: 14rem; }
td.number, th.number { text-align: right; }
tr.total td { font-weight: 600; border-top: 2px solid var(--line); }
.failed-test { color: var(--failed); }
.passed { color: var(--success); }
ul.tests { list-style: none; padding: 0; }
ul.tests li { padding: .25rem 0; overflow-wrap: anywhere; }
ul.tests small { color: var(--muted); display: block; }
`

/** An error as a test run tells of it. */
export interface ErrorFacts {
  /** Such as `AssertionError`; `undefined` for what is no error. */
  readonly name: string | undefined
  readonly message: string
  /** Lines of the JavaScript stack. */
  readonly stack: readonly string[]
  /** The difference between what was expected and what was received. */
  readonly diff: string | undefined
}

export interface TestFacts {
  /** With the names of its suites. */
  readonly title: string
  readonly state: 'failed' | 'passed'
  /** From the root of the run. */
  readonly file: string
  /** Empty for a run without named projects. */
  readonly project: string
  readonly retries: number
  readonly errors: readonly ErrorFacts[]
  /** The sections of its chains, as markup. */
  readonly chains: string
}

/** Says which files a reporter has written. */
export const REPORT_MARK = '<!-- tickchain report -->'

/** The name of the page that lists the others. */
export const INDEX_FILE = 'index.html'

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape of terminal colours
const COLOURS = /\u001b\[[\d;]*m/g

function errorMarkup({ name, message, stack, diff }: ErrorFacts): Markup[] {
  const text = [name, message].filter((each) => each !== undefined && each !== '').join(': ')
  const shown = [
    element('pre', { class: 'message', tabindex: 0 }, text.replace(COLOURS, '') || 'It has no message.'),
  ]
  if (diff !== undefined) shown.push(element('pre', { tabindex: 0 }, diff.replace(COLOURS, '')))
  if (stack.length === 0) return shown
  const lines = element('pre', { tabindex: 0 }, stack.join('\n').replace(COLOURS, ''))
  return [...shown, element('details', element('summary', 'JavaScript stack'), lines)]
}

function headerOf({ title, state, file, project, retries }: TestFacts): Markup {
  const where = [project, file].filter((each) => each !== '').join(' · ')
  const retried = retries === 0 ? '' : `, after ${retries === 1 ? 'a retry' : `${retries} retries`}`
  const result = element('strong', { class: state === 'failed' ? 'failed-test' : 'passed' }, state)
  return element(
    'header',
    element('p', element('a', { href: INDEX_FILE }, 'All tests of the run')),
    element('h1', title),
    element('p', result, retried, ` · ${where}`),
  )
}

const NO_CHAIN = 'No chain existed when it failed, so there is no trace and no block to show.'

export function testPage(test: TestFacts): string {
  const { title, state, errors, chains } = test
  const none = state === 'failed' ? [element('p', { class: 'notice' }, 'It failed without an error.')] : []
  const body = element(
    'main',
    headerOf(test),
    errors.length === 0 ? none : errors.map(errorMarkup),
    chains === '' ? element('p', { class: 'notice' }, NO_CHAIN) : { markup: chains },
  )
  const styles = `${TRACE_STYLES}${REPORT_STYLES}`
  return `${renderPage({ title, body, styles, script })}${REPORT_MARK}\n`
}
