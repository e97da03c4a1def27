// The reporter of failed tests, from outside: a project with the built package.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testInLong } from '../size.ts'
import { createProject, type Project } from './project.ts'

let project: Project
let output = ''

const CONFIG = ['--config', 'pages.config.ts']

beforeAll(async () => {
  project = await createProject()
  // Somebody else's, and one of an earlier run.
  project.write('report/mine.html', '<p>mine</p>')
  project.write('report/old.html', '<p>old</p>\n<!-- tickchain report -->\n')
  ;({ output } = project.vitest(...CONFIG))
})

afterAll(() => project.remove())

function pages(folder = 'report'): string[] {
  return readdirSync(join(project.folder, folder)).sort()
}

/** The page whose name begins so. */
function page(start: string): string {
  const names = pages().filter((name) => name.startsWith(start))
  expect(names, start).toHaveLength(1)
  return project.read(`report/${names[0]}`)
}

/** The headings of the chains. */
function headings(text: string): string[] {
  return [...text.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, heading = '']) => heading)
}

describe('a run with failed tests', () => {
  test('has a page for each, by names that tell what failed', () => {
    const starts = pages().map((name) => name.replace(/-[0-9a-f]{8}\.html$/, ''))
    expect(starts).toEqual([
      'bank-story-a-deposit-of-nothing',
      'bank-story-a-name-that-two-tests-have',
      'bank-story-a-name-that-two-tests-have',
      'bank-story-beside-others-one',
      'bank-story-beside-others-two',
      'bank-story-fails-three-times',
      'broken-story-pages-layers-broken-story-ts',
      'index.html',
      'mine.html',
      'pair-story-a-pair',
      'plain-story-a-chain-of-the-file-has-failed-transactions',
      'plain-story-a-suite',
      'plain-story-before-a-chain-exists',
      'plain-story-hooks-fail-after-a-test',
      'plain-story-on-two-chains',
      'plain-story-throws-a-text',
      'plain-story-throws-nothing',
    ])
  })

  test('prints the path of a page under its failure', () => {
    const [failure = ''] =
      output.match(/FAIL {2}\|units\| pages\/units\/bank\.story\.ts > a deposit of nothing[\s\S]*?⎯{5}/) ?? []
    expect(failure).toMatch(/report\n.*↳ report\/bank-story-a-deposit-of-nothing-[0-9a-f]{8}\.html/)
    expect(output).toContain('report/index.html')
  })

  test('says what failed in terms of Solidity: reason, places, lines, calls', () => {
    const text = page('bank-story-a-deposit-of-nothing')
    expect(text).toContain('execution reverted: nothing')
    expect(text).toContain('at Bank.deposit (contracts/Bank.sol:25)')
    expect(text).toContain('<p class="cause">Bank.deposit (contracts/Bank.sol:25) reverted: nothing</p>')
    expect(text).toMatch(/<mark aria-label="line 19">[^\n]*await chain\.request\(&#39;eth_call&#39;/)
    expect(text).toMatch(/<mark[^>]*>[^\n]*25<\/span>[^\n]*revert\(&quot;nothing&quot;\)/)
    expect(text).toContain('<strong>Bank</strong><span class="function">.deposit</span>')
    expect(text).toContain('>Alice<')
    // The second transaction of Alice, after the deployment: 500 wei.
    expect(text).toContain('<td class="amount" title="0.0000000000000005 ETH">500 wei</td>')
    // Times for readers, with the seconds since the epoch on hover.
    expect(text).toContain('<td title="1704067202">2024-01-01 00:00:02</td>')
    expect(text).toContain('aria-label="Timeline of Chain 31337"')
  })

  test('shows what is no error, and what failed before there was a chain', () => {
    expect(page('plain-story-throws-a-text')).toContain('only a text')
    expect(page('plain-story-throws-nothing')).toContain('undefined')
    expect(page('plain-story-before')).toContain('invalid option chainId')
    expect(page('plain-story-before')).toContain('No chain existed when it failed')
    expect(page('broken')).toContain('this file does not load')
    expect(page('plain-story-a-suite')).toContain('the set-up fails')
    expect(page('plain-story-hooks')).toContain('the hook fails')
  })

  test('shows every chain: of the test, of the file, of a pair', () => {
    const two = page('plain-story-on-two-chains')
    expect(two).toMatch(/<h2>Chain 31337<\/h2><p>No call/)
    expect(two).toMatch(/<h2>Chain 5<\/h2>[\s\S]*<h3>The call that failed/)
    expect(page('plain-story-a-chain-of')).toMatch(
      /<h2>Chain 77<\/h2>[\s\S]*<h3>The transaction that failed last/,
    )
    expect(headings(page('bank-story-beside-others-one'))).toEqual(['Chain 31337'])
    expect(headings(page('pair'))).toEqual(['Chain 900', 'Chain 901, a layer 2'])
  })

  test('tells what a test did with a pair, its roles and its layers', () => {
    const items = [
      ...page('pair').matchAll(
        /data-line="(\d+)"[^>]*data-end="(\d+)"[^>]*><span[^>]*>[^<]*<\/span> ([^<]*)/g,
      ),
    ]
    const start = 1704067200000
    expect(items.map(([, line, end, words]) => [Number(line), Number(end) - start, words])).toEqual([
      [8, 0, 'batcher.withhold()'],
      [9, 4000, 'advance(4000)'],
      [10, 4200, 'advance(100) ×2'],
      [11, 4200, 'snapshot()'],
      [12, 4200, 'eth_blockNumber'],
    ])
  })

  test('has the timelines that tests record themselves', () => {
    expect(page('plain-story-on-two-chains')).toContain('aria-label="Timeline of Chain 5"')
    expect(page('plain-story-on-two-chains')).not.toContain('aria-label="Timeline of Chain 31337"')
    // Of both layers, and so with the first.
    expect(page('pair')).toContain('aria-label="Timeline of Chain 900"')
    expect(page('pair')).not.toContain('aria-label="Timeline of Chain 901')
  })

  test('counts retries, and leaves out what passed at last', () => {
    expect(page('bank-story-fails-three-times')).toContain(', after 2 retries')
    expect(pages().some((name) => name.includes('second-attempt'))).toBe(false)
  })

  test('has an index with all pages, gas and coverage', () => {
    const index = project.read('report/index.html')
    expect(index).toContain('Bank.deposit (contracts/Bank.sol:25) reverted: nothing')
    const links = [...index.matchAll(/href="([^"]+)"/g)].map(([, link]) => link)
    const listed = pages().filter((name) => name !== 'index.html' && name !== 'mine.html')
    expect(links.sort()).toEqual(listed)
    expect(index).toMatch(/<td>contracts\/Bank\.sol:Bank<\/td><td>deposit\(\)<\/td>/)
    // One table for the run, though each project has the plugin.
    expect(index.match(/<td>All files<\/td>/g)).toHaveLength(1)
    expect(output.match(/^All files/gm) ?? []).toHaveLength(0)
    expect(output.match(/ deposit\(\) /g)).toHaveLength(1)
  })

  test('removes pages of earlier runs, and no other file', () => {
    expect(existsSync(join(project.folder, 'report/old.html'))).toBe(false)
    expect(project.read('report/mine.html')).toBe('<p>mine</p>')
  })
})

test('names and pages are the same in another run, in other workers', () => {
  const before = pages().map((name) => [name, project.read(`report/${name}`)])
  project.vitest(...CONFIG, '--pool=threads', '--maxWorkers=1', '--isolate=false')
  const withoutPaths = (text = '') =>
    text.replace(/<details><summary>JavaScript stack[\s\S]*?<\/details>/g, '')
  const after = pages().map((name) => [name, project.read(`report/${name}`)])
  expect(after.map(([name, text]) => [name, withoutPaths(text)])).toEqual(
    before.map(([name, text]) => [name, withoutPaths(text)]),
  )
})

describe('what a failing test prints', () => {
  const printed = (variables: Readonly<Record<string, string>>): string =>
    project.vitestWith(variables, ...CONFIG, '--reporter=dot', 'bank').output
  let plain = ''

  beforeAll(() => {
    plain = printed({ NO_COLOR: '' })
  })

  testInLong('has colours only where FORCE_COLOR asks for them', () => {
    // A pipe is no terminal. FORCE_COLOR decides over NO_COLOR, as in Node.
    expect(plain).not.toContain('\u001b')
    const block = '\u001b[32m● block 2     \u001b[0m'
    expect(printed({ NO_COLOR: '1', FORCE_COLOR: '1' })).toContain(block)
  })

  // Workers of vitest have no terminal of their own. Where util-linux is installed, its `script` makes one.
  const terminal = spawnSync('script', ['--version'], { encoding: 'utf8' })
  test.skipIf(!`${terminal.stdout}`.includes('util-linux'))(
    'has colours in a terminal, unless NO_COLOR is set',
    () => {
      const shown = (variables: Readonly<Record<string, string>>): string => {
        const { NO_COLOR: _no, FORCE_COLOR: _force, CI: _ci, ...others } = process.env
        const cli = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs')
        const command = `${process.execPath} ${cli} run ${CONFIG.join(' ')} --reporter=dot bank -t nothing`
        const env = { ...others, TERM: 'xterm', VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true', ...variables }
        const options = { cwd: project.folder, encoding: 'utf8', env } as const
        return spawnSync('script', ['-qec', command, '/dev/null'], options).stdout
      }
      const [bold, red] = ['\u001b[1m', '\u001b[31m']
      const colored = shown({})
      expect(colored).toContain(`${bold}The chain of "a deposit of nothing"`)
      expect(colored).toContain(`${bold}The call that failed:`)
      expect(colored).toContain(`${red}execution reverted: nothing`)
      const without = shown({ NO_COLOR: '1' })
      expect(without).toContain('The chain of "a deposit of nothing"')
      expect(without).not.toContain(`${bold}The chain of`)
    },
  )

  testInLong('is as wide as COLUMNS says', () => {
    expect(plain).toContain('0xc5cf25ac  0xf39fd6e5 → 0x5fbdb231, nonce 1\n')
    const lines = printed({ COLUMNS: '48' }).split('\n')
    const drawn = lines.filter((line) => /^ +\+\d/.test(line))
    expect(drawn.length).toBeGreaterThan(0)
    expect(Math.max(...drawn.map((line) => [...line].length))).toBeLessThanOrEqual(48)
  })
})

describe('tests that pass', () => {
  const reporter = ['--reporter=default', '--reporter=tickchain/vitest-reporter']

  /** Says which files of the package each process loads. */
  const hooks = `
    import { register } from 'node:module'
    register('data:text/javascript,' + encodeURIComponent(\`
      import { appendFileSync } from 'node:fs'
      export async function load(url, context, next) {
        appendFileSync(process.env.LOADED, url + '\\\\n')
        return next(url, context)
      }
    \`))
  `

  function loadedBy(expected: number, ...flags: string[]): string[] {
    project.write('hooks.mjs', hooks)
    project.write('loaded.txt', '')
    const env = {
      NODE_OPTIONS: `--import ${join(project.folder, 'hooks.mjs')}`,
      LOADED: join(project.folder, 'loaded.txt'),
    }
    const { status } = project.vitestWith(env, ...flags)
    expect(status).toBe(expected)
    const files = project.read('loaded.txt').match(/(?<=dist\/bundle\/)[\w-]+(?=\.js$)/gm) ?? []
    return [...new Set(files)].sort()
  }

  test('have no page, and load nothing of pages and traces in their workers', () => {
    project.write(
      'one.config.ts',
      `import { tickchain } from 'tickchain/vitest-config'
      import { defineConfig } from 'vitest/config'
      export default defineConfig({
        plugins: [tickchain({ contracts: 'artifacts/build-info', gas: true })],
        test: { include: ['pages/units/bank.story.ts'] },
      })`,
    )
    const one = ['--config', 'one.config.ts']
    const reporting = loadedBy(0, ...one, '-t', 'passes$', ...reporter)
    expect(existsSync(join(project.folder, 'tickchain-report/index.html'))).toBe(true)
    expect(pages('tickchain-report')).toEqual(['index.html'])
    // What the reporter itself is made of, in the process of the run.
    expect(reporting.join(' ')).not.toMatch(/report-test|trace-section|call-trace/)
    expect(reporting).toContain('vitest-reporter')
    expect(loadedBy(1, ...one, '-t', 'a deposit of nothing', ...reporter)).toContain('report-test')
  })

  test('have pages when asked', () => {
    project.write(
      'all.config.ts',
      `import { defineConfig } from 'vitest/config'
      export default defineConfig({
        test: { include: ['pages/units/bank.story.ts'], reporters: [['tickchain/vitest-reporter', { directory: 'all', passing: true }]] },
      })`,
    )
    project.vitest('--config', 'all.config.ts', '-t', 'passes$')
    expect(pages('all')).toEqual([
      expect.stringMatching(/^bank-story-passes-[0-9a-f]{8}\.html$/),
      'index.html',
    ])
    const [name] = pages('all')
    expect(project.read(`all/${name}`)).toContain('>passed</strong>')
    expect(statSync(join(project.folder, 'all', name as string)).size).toBeLessThan(100_000)
  })
})

test('a wrong option is refused by name', () => {
  project.write(
    'wrong.config.ts',
    `import { defineConfig } from 'vitest/config'
    export default defineConfig({ test: { include: ['pages/units/bank.story.ts'], reporters: [['tickchain/vitest-reporter', { folder: 'x' }]] } })`,
  )
  const { status, output: printed } = project.vitest('--config', 'wrong.config.ts')
  expect(status).toBe(1)
  expect(printed).toContain('folder')
})
