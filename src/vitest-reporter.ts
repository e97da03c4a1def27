// The entry of vitest's reporter: a page for each failed test, and one for the run. It uses `node:` modules, since it
// writes files; reporters run in Node.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node'
import { failure, readArgument } from './core/primitives/errors.ts'
import { describe } from './core/primitives/text-of.ts'
import { resultsOf } from './tools/testing/reports/provided.ts'
import type { TestAction } from './tools/view/report/test-page.ts'
import * as pages from './tools/view/report/test-page.ts'
import type { SourceExcerpt } from './tools/view/source-excerpt.ts'

/** Options of the reporter. */
export interface PagesOptions {
  /** The folder of the pages, from vitest's root. Default `tickchain-report`. */
  readonly directory?: string
  /** True if tests that pass have pages, too. Default false. */
  readonly passing?: boolean
}

const SETUP_FILE = fileURLToPath(new URL('./vitest-setup.js', import.meta.url))
const DEFAULT_DIRECTORY = 'tickchain-report'
const MOST_NAME_CHARACTERS = 60
const DIGEST_DIGITS = 8
/** Lines of a test that are shown around the one that failed. */
const [LINES_BEFORE, LINES_AFTER] = [12, 4]

/** The most lines before and after the one that failed. */
const MOST_LINES = 200
/** Facts of a test without chains. */
const NO_CHAINS: Pick<pages.TestFacts, 'cause' | 'chains' | 'actions'> = {
  cause: undefined,
  chains: '',
  actions: [],
}

/** An error as vitest hands it over. */
interface Stacked {
  readonly stacks?: readonly { readonly file: string; readonly line: number }[]
}

/** A test, a suite or a file that failed. */
interface Failed {
  readonly module: TestModule
  readonly title: string
  /** Position among the tests with the same name in the file. */
  readonly position: number
}

function positionOf(test: TestCase): number {
  let position = 0
  for (const other of test.module.children.allTests()) {
    if (other === test) break
    if (other.fullName === test.fullName) position++
  }
  return position
}

/** The same in each run: of the file, the name, and a digest of what tells tests with that name apart. */
function pageName(file: string, { module, title, position }: Failed): string {
  const key = JSON.stringify([module.project.name, file, title, position])
  const digest = createHash('sha256').update(key).digest('hex').slice(0, DIGEST_DIGITS)
  const stem = basename(file).replace(/\.(?:test|spec)?\.?[cm]?[jt]sx?$/, '')
  const slugs = [stem, title].map((name) => {
    const words = name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
    return words.slice(0, MOST_NAME_CHARACTERS).replace(/^-+|-+$/g, '')
  })
  return `${[...slugs.filter((each) => each !== ''), digest].join('-')}.html`
}

/** One run of tests, or several in watch mode. */
class PageReporter implements Reporter {
  readonly #directory: string
  readonly #passing: boolean
  #vitest: Vitest | undefined
  #tests: pages.ListedTest[] = []

  constructor(options: PagesOptions = {}) {
    const read = readArgument('reportPages', 'options', () => ({ ...options }))
    const { directory = DEFAULT_DIRECTORY, passing = false, ...others } = read
    const refuse = (option: string, reason: string): never => {
      throw failure('invalidOption', { option, reason })
    }
    if (typeof directory !== 'string' || directory === '')
      refuse('directory', `expected the path of a folder, got ${describe(directory)}`)
    if (typeof passing !== 'boolean') refuse('passing', `expected a boolean, got ${describe(passing)}`)
    const [unknown] = Object.keys(others)
    if (unknown !== undefined) refuse(unknown, 'expected one of directory, passing')
    this.#directory = directory
    this.#passing = passing
  }

  get #folder(): string {
    return resolve(this.#root, this.#directory)
  }

  get #root(): string {
    return this.#vitest?.config.root ?? ''
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
    for (const project of vitest.projects) {
      project.provide('tickchainPages', { passing: this.#passing })
      // It may be there for gas and coverage.
      project.config.setupFiles = [...new Set([...project.config.setupFiles, SETUP_FILE])]
    }
  }

  /** Removes the pages of the run before, and no other file. */
  onTestRunStart(): void {
    this.#tests = []
    if (!existsSync(this.#folder)) return
    for (const entry of readdirSync(this.#folder, { withFileTypes: true })) {
      const path = join(this.#folder, entry.name)
      if (!entry.isFile() || !entry.name.endsWith('.html')) continue
      if (readFileSync(path, 'utf8').trimEnd().endsWith(pages.REPORT_MARK)) rmSync(path)
    }
  }

  onTestCaseResult(test: TestCase): void {
    const meta = test.meta()
    const { cause, chains, actions } = meta.tickchainPages ?? NO_CHAINS
    // Other reporters print what is in it.
    delete meta.tickchainPages
    const { state, errors = [] } = test.result()
    if (state !== 'failed' && (state !== 'passed' || !this.#passing)) return
    const failed = { module: test.module, title: test.fullName, position: positionOf(test) }
    const retries = test.diagnostic()?.retryCount ?? 0
    const source = this.#sourceOf(errors, test.module, actions)
    const facts = { state, retries, errors: errors.map(pages.errorFacts), cause, source, chains, actions }
    const page = this.#write(failed, facts)
    if (state !== 'failed') return
    // Reporters print notes under the failure of their test.
    const { annotations } = (
      test as unknown as { readonly task: { readonly annotations?: { message: string; type: string }[] } }
    ).task
    annotations?.push({ type: 'report', message: this.#pathOf(page) })
  }

  onTestSuiteResult(suite: TestSuite): void {
    this.#writeErrors(suite.module, suite.fullName, suite.errors())
  }

  onTestModuleEnd(module: TestModule): void {
    this.#writeErrors(module, relative(this.#root, module.moduleId), module.errors())
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const vitest = this.#vitest
    if (vitest === undefined) return
    const states = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    )
    const count = (state: string): number => states.filter((each) => each === state).length
    const text = pages.indexPage({
      failed: count('failed'),
      passed: count('passed'),
      skipped: count('skipped'),
      tests: [...this.#tests].sort((a, b) => (a.page < b.page ? -1 : 1)),
      results: resultsOf(vitest),
      errors: errors.map((error) => pages.errorFacts(error).message),
    })
    this.#writeFile(pages.INDEX_FILE, text)
    vitest.logger.log(` Report  ${this.#pathOf(pages.INDEX_FILE)}\n`)
  }

  #pathOf(page: string): string {
    return relative(this.#root, join(this.#folder, page))
  }

  /** Errors of hooks, and of files that could not be loaded. */
  #writeErrors(module: TestModule, title: string, errors: readonly unknown[]): void {
    if (errors.length === 0) return
    const source = this.#sourceOf(errors, module, [])
    const facts = { state: 'failed', retries: 0, errors: errors.map(pages.errorFacts), source } as const
    this.#write({ module, title, position: 0 }, { ...facts, ...NO_CHAINS })
  }

  /** The lines of a test's file from its first action to its last, or around that in which an error was thrown. */
  #sourceOf(
    errors: readonly unknown[],
    { moduleId }: TestModule,
    actions: readonly TestAction[],
  ): SourceExcerpt | undefined {
    const stacks = errors.flatMap((error) => (Object(error) as Stacked).stacks ?? [])
    const line = stacks.find(({ file }) => file === moduleId)?.line
    const acting = actions.flatMap((action) => action.line ?? [])
    const shown = line === undefined ? acting : [line, ...acting]
    if (shown.length === 0 || !existsSync(moduleId)) return undefined
    const [first, last] = [Math.min(...shown), Math.max(...shown)]
    const middle = line ?? first
    const from = Math.max(
      1,
      Math.min(middle - LINES_BEFORE, Math.max(first - LINES_AFTER, middle - MOST_LINES)),
    )
    const to = Math.min(last, middle + MOST_LINES) + LINES_AFTER
    const lines = readFileSync(moduleId, 'utf8')
      .split(/\r?\n/)
      .slice(from - 1, to)
    return { file: this.#nameOf(moduleId), line: line ?? 0, from, lines }
  }

  #nameOf(path: string): string {
    return relative(this.#root, path).replaceAll('\\', '/')
  }

  #write(failed: Failed, facts: Omit<pages.TestFacts, 'title' | 'file' | 'project'>): string {
    const { module, title } = failed
    const file = this.#nameOf(module.moduleId)
    const page = pageName(file, failed)
    const project = module.project.name
    this.#writeFile(page, pages.testPage({ ...facts, title, file, project }))
    this.#tests.push({ title, state: facts.state, file, project, page, summary: pages.errorSummary(facts) })
    return page
  }

  #writeFile(name: string, text: string): void {
    mkdirSync(this.#folder, { recursive: true })
    writeFileSync(join(this.#folder, name), text)
  }
}

/**
 * Makes a reporter of vitest that writes a page for each test that fails: the error, and of each chain of the test the trace
 * of what failed, its timeline, last blocks, pool and accounts. The path of the page is printed under the failure.
 * `index.html` lists the pages, with the gas and coverage that `tickchain/vitest-config` measures.
 *
 * @param options The folder, and whether tests that pass have pages, too.
 * @throws TickchainError `invalidOption`
 * @see vitest, `reporters`
 * @example
 * const reporter = reportPages({ directory: 'report' })
 * typeof reporter.onTestRunEnd // => 'function'
 */
export function reportPages(options: PagesOptions = {}): Reporter {
  return new PageReporter(options)
}

/**
 * vitest calls it with `new`, when the reporter is given by the name of this module.
 *
 * @alias
 */
// biome-ignore lint/style/noDefaultExport: the form in which vitest takes reporters
export default reportPages
