// The first page of a report: the tests of a run with pages, gas, and coverage.

import type { SourceCoverage } from '../../solidity/usage/coverage.ts'
import { coverageCells, notesOn } from '../../solidity/usage/format-usage.ts'
import type { GasReport, GasStatistics } from '../../solidity/usage/gas-report.ts'
import { dataTable, element, type Markup } from '../html.ts'
import { countText, groupDigits } from '../numbers.ts'
import { renderPage } from '../page.ts'
import { TRACE_STYLES } from '../trace/styles.ts'
import { REPORT_MARK, REPORT_STYLES } from './test-page.ts'

/** A test with a page of its own. */
export interface ListedTest {
  readonly title: string
  readonly state: 'failed' | 'passed'
  readonly file: string
  readonly project: string
  /** The file of its page, beside the index. */
  readonly page: string
  /** The beginning of its error. */
  readonly summary: string
}

export interface RunResults {
  readonly gas: GasReport | undefined
  readonly coverage: SourceCoverage | undefined
}

export interface RunFacts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
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
