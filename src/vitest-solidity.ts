// Solidity tests as test files of vitest: the part of `tickchain/vitest-config` that makes modules of them. It uses `node:`
// modules for paths; nobody else imports it.

import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { TestProject } from 'vitest/node'
import type { TestOptions } from './tools/explore/tests/options.ts'
import type { Solc } from './tools/explore/tests/sources.ts'

/** A project whose Solidity tests are a part of the test run. */
export interface SolidityProjectOptions extends Omit<TestOptions, 'match'> {
  /** The folder of the project, from vitest's root. Default that. */
  readonly root?: string
  /** The name of the module that compiles the project, such as `solc`, or false for artifacts that are there. Default `solc`. */
  readonly solc?: string | false
}

const TESTS_FILE = fileURLToPath(new URL('./solidity-tests.js', import.meta.url))

/** The module of a test file: its tests, each of which is run in the worker. */
function testModule(root: string, file: string, options: SolidityProjectOptions): string {
  const { solc, root: _, ...others } = options
  const module = solc ?? 'solc'
  return `import { describe, test } from 'vitest'
import { openSolidityFile } from ${JSON.stringify(pathToFileURL(TESTS_FILE).href)}
${module === false ? 'const solc = undefined' : `import solc from ${JSON.stringify(module)}`}
const options = { ...${JSON.stringify(others)}, ...(solc && { solc }) }
const tests = await openSolidityFile(${JSON.stringify(root)}, ${JSON.stringify(file)}, options)
for (const contract of new Set(tests.map((each) => each.contract)))
  describe(contract, () => {
    for (const { test: name, run } of tests.filter((each) => each.contract === contract))
      test(name, async (context) => {
        const { status, reason = '', counterexample = [], logs, trace = '' } = await run()
        if (status === 'passed') return
        if (status === 'skipped') return context.skip(reason)
        const calls = counterexample.map(({ contract, call, args }) => contract + '.' + call + ' ' + JSON.stringify(args))
        const error = new Error([reason, ...calls, ...logs, trace].filter((line) => line !== '').join('\\n'))
        error.stack = error.message
        throw error
      })
  })
`
}

/** Test files of Solidity: the project is compiled once, and again after a change. */
export function solidityPlugin(options: SolidityProjectOptions) {
  let compiled: Promise<readonly string[]> | undefined
  let root = ''
  return {
    include(project: TestProject): void {
      root = resolve(project.config.root, options.root ?? '.')
      const folder = relative(project.config.root, root).replaceAll('\\', '/')
      project.config.include.push(`${folder === '' ? '' : `${folder}/`}**/*.t.sol`)
      // Tests of libraries are theirs.
      project.config.exclude.push(`${folder === '' ? '' : `${folder}/`}lib/**`)
    },
    forget(): void {
      compiled = undefined
    },
    async transform(this: { addWatchFile(file: string): void }, _: string, id: string) {
      const [path = ''] = id.split('?')
      if (!path.endsWith('.t.sol')) return undefined
      compiled ??= compileForTests(root, options)
      for (const file of await compiled) this.addWatchFile(file)
      const file = relative(root, path).replaceAll('\\', '/')
      return { code: testModule(root, file, options), map: null }
    },
  }
}

/** The sources below a folder, so that a change of any is seen. */
function sourcesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true })
    .map((name) => `${name}`)
    .filter((name) => name.endsWith('.sol') && !/(^|[\\/])(node_modules|\.[^\\/]+)[\\/]/.test(name))
    .map((name) => resolve(root, name))
}

/** Compiles a project, so that workers find it in the cache; resolves to the sources. */
async function compileForTests(root: string, options: SolidityProjectOptions): Promise<readonly string[]> {
  const { solc = 'solc', root: _, ...others } = options
  if (solc !== false) {
    const compiler = createRequire(resolve(root, 'foundry.toml'))(solc) as Solc
    // Loaded here, because it needs fast-check, which configurations without Solidity tests may not have.
    const { runSolidityTests } = await import('./solidity-tests.ts')
    // No test has such a name: everything is compiled, and nothing run.
    await runSolidityTests(root, { ...others, solc: compiler, match: { test: '\0' } })
  }
  return sourcesBelow(root)
}
