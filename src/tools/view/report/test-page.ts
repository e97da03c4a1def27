// Pages of a report: that of a failed test, and the first, with the tests of a run, gas, and coverage. What a test did
// to its chains beside its source: an action chooses its line, a line its actions, and both an instant of the timeline,
// by the script of pages.

import { withoutColors } from '../../../core/primitives/terminal.ts'
import { describe } from '../../../core/primitives/text-of.ts'
import script from '../../pages/page.ts?page'
import type { SourceCoverage } from '../../solidity/usage/coverage.ts'
import { coverageCells, notesOn } from '../../solidity/usage/format-usage.ts'
import type { GasReport, GasStatistics } from '../../solidity/usage/usage.ts'
import { dataTable, element, type Markup } from '../html.ts'
import { countText, groupDigits } from '../numbers.ts'
import { renderPage } from '../page.ts'
import { type SourceExcerpt, sourceExcerpt } from '../source-excerpt.ts'
import { TIMELINE_SECTION_STYLES } from '../timeline/styles.ts'
import { TRACE_STYLES } from '../trace/styles.ts'

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

const ACTION_STYLES = `
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
  const times = { 'data-at': atMs, 'data-end': endMs }
  const data = { 'data-chain': chain, 'data-line': line, ...times, 'data-hash': hash }
  const failed = failure === undefined ? [] : [' ', element('span', { class: 'error' }, `✗ ${failure}`)]
  const at = element('span', { class: 'at' }, `${line ?? '–'}`.padStart(4))
  const button = { type: 'button', class: 'link', title: words.join(', '), ...data }
  return element('li', element('button', button, at, ` ${shown.join(', ')}`, failed))
}

/** The actions of a test and its source; nothing of what is not known. */
function testStory(source: SourceExcerpt | undefined, actions: readonly TestAction[]): Markup[] {
  const lines = new Set(actions.flatMap(({ line }) => line ?? []))
  const shown =
    source === undefined ? [] : [element('div', { class: 'source' }, sourceExcerpt(source, lines))]
  if (actions.length === 0) return shown
  const list = element('ol', { 'aria-label': 'Actions of the test' }, actions.map(actionItem))
  return [element('div', { class: 'story' }, list, ...shown)]
}

const REPORT_STYLES = `
header { border-bottom: 1px solid var(--line); margin-bottom: 1rem; }
.source pre { max-height: 30rem; }
.events .scrolling { max-height: 40rem; }
header p.cause { color: var(--failed); font-size: 1.15rem; font-weight: 600; margin: .75rem 0; }
header p { color: var(--muted); margin: .25rem 0; }
section > h2 { border-top: 1px solid var(--line); padding-top: 1.25rem; }
pre { background: var(--surface); border: 1px solid var(--line); border-radius: 4px; padding: .6rem .75rem; margin: .5rem 0; overflow: auto; }
pre.message { border-left: 3px solid var(--failed); white-space: pre-wrap; overflow-wrap: anywhere; }
th, td { white-space: nowrap; }
td:has(.error), .timeline-section td { white-space: normal; }
td:has(.error) { min-width: 14rem; }
.failed-test { color: var(--failed); }
.passed { color: var(--success); }
ul.tests { list-style: none; padding: 0; }
ul.tests li { padding: .25rem 0; }
ul.tests small { color: var(--muted); display: block; }
`

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** An error as a test run tells of it; what is no error has its text. */
export function errorFacts(error: unknown) {
  if (typeof error !== 'object' || error === null)
    return { name: undefined, message: `${error}`, stack: [], diff: undefined }
  const { name, message, stack, diff } = error as Readonly<Record<string, unknown>>
  const lines = (textOf(stack) ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    /** Such as `AssertionError`. */
    name: textOf(name),
    message: textOf(message) ?? describe(error),
    /** Lines of the JavaScript stack. */
    stack: lines.map((line) => line.trim()),
    /** The difference between what was expected and what was received. */
    diff: textOf(diff),
  }
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
  readonly errors: readonly ReturnType<typeof errorFacts>[]
  /** Why it failed, on a chain; `undefined` if nothing failed there. */
  readonly cause: FailureCause | undefined
  /** The lines of the test, with the one that failed. */
  readonly source: SourceExcerpt | undefined
  readonly actions: readonly TestAction[]
  /** The sections of its chains, as markup. */
  readonly chains: string
}

/** A failure on a chain in a sentence. */
export interface FailureCause {
  readonly sentence: string
  /** True if the error of the test says the same, in a client's words. */
  readonly isQuoted: boolean
}

/** The first line of an error, which is no sentence of its own if a chain says the cause. */
export function errorSummary({ errors, cause }: Pick<TestFacts, 'errors' | 'cause'>): string {
  const [first = ''] = (errors[0]?.message ?? '').split('\n')
  return cause?.isQuoted ? cause.sentence : withoutColors(first)
}

/** Says which files a reporter has written. */
export const REPORT_MARK = '<!-- tickchain report -->'

/** The name of the page that lists the others. */
export const INDEX_FILE = 'index.html'

/** Fewer lines need no folding. */
const MOST_UNFOLDED_LINES = 3

function errorMarkup(
  { name, message, stack, diff }: TestFacts['errors'][number],
  isQuoted: boolean,
  stackTitle: string,
) {
  const text = [name, message].filter((each) => each !== undefined && each !== '').join(': ')
  const whole = element('pre', { class: 'message', tabindex: 0 }, withoutColors(text) || 'It has no message.')
  const isFolded = isQuoted && text.split('\n').length > MOST_UNFOLDED_LINES
  const shown = [isFolded ? element('details', element('summary', 'The whole message'), whole) : whole]
  if (diff !== undefined) shown.push(element('pre', { tabindex: 0 }, withoutColors(diff)))
  if (stack.length === 0) return shown
  const lines = element('pre', { tabindex: 0 }, withoutColors(stack.join('\n')))
  return [...shown, element('details', element('summary', stackTitle), lines)]
}

function headerOf(test: TestFacts): Markup {
  const { title, state, file, project, retries, cause } = test
  const where = [project, file].filter((each) => each !== '').join(' · ')
  const retried = retries === 0 ? '' : `, after ${retries === 1 ? 'a retry' : `${retries} retries`}`
  const result = element('strong', { class: state === 'failed' ? 'failed-test' : 'passed' }, state)
  return element(
    'header',
    element('p', element('a', { href: INDEX_FILE }, 'All tests of the run')),
    element('h1', title),
    element('p', result, retried, ` · ${where}`),
    ...(state === 'failed' ? [element('p', { class: 'cause' }, errorSummary(test))] : []),
    ...(cause?.isQuoted === false ? [element('p', { class: 'cause' }, cause.sentence)] : []),
  )
}

const NO_CHAIN = 'No chain existed when it failed, so there is no trace and no block to show.'

export function testPage(test: TestFacts): string {
  const { title, state, file, errors, chains, cause, source, actions } = test
  // Those in Solidity have their trace in the error.
  const isSolidity = file.endsWith('.sol')
  const stackTitle = isSolidity ? 'Stack' : 'JavaScript stack'
  const noChain = isSolidity ? [] : element('p', { class: 'notice' }, NO_CHAIN)
  const none = state === 'failed' ? [element('p', { class: 'notice' }, 'It failed without an error.')] : []
  const body = element(
    'main',
    headerOf(test),
    testStory(source, actions),
    errors.length === 0
      ? none
      : errors.map((error) => errorMarkup(error, cause?.isQuoted ?? false, stackTitle)),
    chains === '' ? noChain : { markup: chains },
  )
  const styles = `${TIMELINE_SECTION_STYLES}${TRACE_STYLES}${REPORT_STYLES}${ACTION_STYLES}`
  return `${renderPage({ title, body, styles, script })}${REPORT_MARK}\n`
}

export interface ListedTest extends Pick<TestFacts, 'title' | 'state' | 'file' | 'project'> {
  /** The file of its page, beside the index. */
  readonly page: string
  /** The beginning of its error. */
  readonly summary: string
}

export interface RunResults {
  readonly gas: GasReport | undefined
  readonly coverage: SourceCoverage | undefined
}

interface RunFacts extends Readonly<Record<'passed' | 'failed' | 'skipped', number>> {
  readonly tests: readonly ListedTest[]
  readonly results: readonly RunResults[]
  /** Messages of errors outside of tests. */
  readonly errors: readonly string[]
}

function testItem({ title, state, file, project, page, summary }: ListedTest): Markup {
  const sign = state === 'failed' ? '✗' : '✓'
  const link = element('a', { href: encodeURIComponent(page) }, title)
  const where = [project, file, summary].filter((each) => each !== '').join(' · ')
  const mark = element('span', { class: state === 'failed' ? 'failed-test' : 'passed' }, sign)
  return element('li', mark, ' ', link, element('small', where))
}

function gasCells({ count, min, mean, median, max }: GasStatistics): string[] {
  return [count, min, mean, median, max].map(groupDigits)
}

function gasSection(report: GasReport): Markup[] {
  const heading = element('h2', 'Gas')
  if (report.length === 0) return [heading, element('p', 'No known contract was called.')]
  const rows = report.flatMap(({ name, file, deployments, codeSize, functions }) => {
    const contract = file === '' ? name : `${file}:${name}`
    const deployment =
      deployments === undefined
        ? []
        : [[contract, `deployment (${groupDigits(codeSize)} bytes)`, ...gasCells(deployments)]]
    return [...deployment, ...functions.map((each) => [contract, each.name, ...gasCells(each)])]
  })
  const columns = ['Contract', 'Function', 'Calls', 'Min', 'Mean', 'Median', 'Max']
  return [heading, dataTable('Gas', columns, rows)]
}

function coverageSection(coverage: SourceCoverage): Markup[] {
  const heading = element('h2', 'Coverage')
  const notes = notesOn(coverage).map((note) => element('p', { class: 'notice' }, note))
  if (coverage.files.length === 0) return [heading, element('p', 'No source file to cover.'), ...notes]
  const columns = ['File', 'Statements %', 'Branches %', 'Functions %', 'Lines %', 'Uncovered lines']
  return [heading, dataTable('Coverage', columns, coverageCells(coverage)), ...notes]
}

export function indexPage({ passed, failed, skipped, tests, results, errors }: RunFacts): string {
  const title = failed === 0 ? 'All tests passed' : `${countText(failed, 'test')} failed`
  const beside = tests.filter(({ state }) => state === 'failed').length - failed
  const others = beside > 0 ? `, and ${countText(beside, 'suite or file', 'suites or files')} failed` : ''
  const counts = `${groupDigits(failed)} failed, ${groupDigits(passed)} passed, ${groupDigits(skipped)} skipped${others}`
  const unhandled = errors.map((message) => element('pre', { class: 'message', tabindex: 0 }, message))
  const listed =
    tests.length === 0
      ? element('p', 'No test has a page.')
      : element('ul', { class: 'tests' }, tests.map(testItem))
  const body = element(
    'main',
    element('header', element('h1', title), element('p', counts)),
    listed,
    unhandled.length === 0 ? [] : [element('h2', 'Errors outside of tests'), ...unhandled],
    results.map(({ gas, coverage }) => [
      ...(gas === undefined ? [] : gasSection(gas)),
      ...(coverage === undefined ? [] : coverageSection(coverage)),
    ]),
  )
  return `${renderPage({ title, body, styles: `${TRACE_STYLES}${REPORT_STYLES}` })}${REPORT_MARK}\n`
}
