// Solidity tests as test files of vitest: the part of `tickchain/vitest-config` that makes modules of them. It uses `node:`
// modules for paths; nobody else imports it.

import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { TestProject } from 'vitest/node'
import { failure } from './core/primitives/errors.ts'
import type { compileForRun } from './solidity-tests.ts'
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

/** The module of a test file: its tests, each of which is run in the worker. `closure` is the file with all that it imports. */
function testModule(root: string, file: string, options: TestOptions, closure?: readonly string[]): string {
  const given = [root, file, options, closure].map((each) => JSON.stringify(each)).join(', ')
  return `import { describe, test } from 'vitest'
import { openSolidityFile } from ${JSON.stringify(pathToFileURL(TESTS_FILE).href)}
const tests = await openSolidityFile(${given})
for (const contract of new Set(tests.map((each) => each.contract)))
  describe(contract, () => {
    for (const { test: name, run } of tests.filter((each) => each.contract === contract))
      test(name, (context) => run((reason) => context.skip(reason)))
  })
`
}

/** The module of a file that does not compile, with the compiler's words. */
function failedModule(file: string, reason: string): string {
  return `import { describe, test } from 'vitest'
describe(${JSON.stringify(file)}, () => {
  test('compiles', () => {
    const error = new Error(${JSON.stringify(reason)})
    error.stack = error.message
    throw error
  })
})
`
}

/** The compiler. npm's solc takes a second to load, so it is only loaded if something has changed. */
function compilerOf(root: string, name: string): Solc {
  const require = createRequire(resolve(root, 'foundry.toml'))
  const load = (): Solc => require(name)
  const { name: packageName, version } = (() => {
    try {
      return require(`${name}/package.json`)
    } catch {
      return {}
    }
  })()
  if (packageName !== 'solc') return load()
  return { version: () => version, compile: (...given) => load().compile(...given) }
}

type CompiledRun = Awaited<ReturnType<typeof compileForRun>>

/** Test files of Solidity: the project is compiled once, and again after a change. */
export function solidityPlugin({ root: folder = '.', solc = 'solc', ...options }: SolidityProjectOptions) {
  let compiled: Promise<CompiledRun> | undefined
  let root = ''
  const compile = async (): Promise<CompiledRun> => {
    const module = solc === false ? {} : { solc: compilerOf(root, solc) }
    // Loaded here, because it needs fast-check, which configurations without Solidity tests may not have.
    const { compileForRun } = await import('./solidity-tests.ts')
    return compileForRun(root, { ...options, ...module })
  }
  const compileOnce = (): Promise<CompiledRun> => {
    compiled ??= compile()
    return compiled
  }
  return {
    include(project: TestProject): void {
      root = resolve(project.config.root, folder)
      const path = pathFrom(project.config.root, root)
      // Its tests would be missing in silence.
      if (!existsSync(root))
        throw failure('invalidOption', { option: 'solidityTests.root', reason: `there is no folder ${root}` })
      const below = path === '' ? '' : `${path}/`
      project.config.include.push(`${below}**/*.t.sol`)
      // Tests of libraries are theirs.
      project.config.exclude.push(`${below}lib/**`)
      // The modules that are made of them are no code of the project.
      project.vitest.config.coverage.exclude.push(`${below}**/*.t.sol`)
    },
    forget(file: string): void {
      if (/\.(sol|toml|json)$|remappings\.txt$/.test(file)) compiled = undefined
    },
    /** The compilations of the project, with its files named from another folder. */
    async explained(from: string): Promise<readonly unknown[]> {
      const { explained, names } = await compileOnce()
      const userSourceNameMap = Object.fromEntries(
        names.map((name) => [pathFrom(from, resolve(root, name)), name]),
      )
      return [explained()].flat().map((each) => ({ ...Object(each), userSourceNameMap }))
    },
    async transform(this: { addWatchFile(file: string): void }, _: string, id: string) {
      const [path = ''] = id.split('?')
      if (!path.endsWith('.t.sol')) return undefined
      const { closureOf, failures } = await compileOnce()
      const file = pathFrom(root, path)
      const closure = closureOf(file)
      for (const each of closure) this.addWatchFile(resolve(root, each))
      const failed = failures.get(file)
      const code =
        failed === undefined
          ? testModule(root, file, options, solc === false ? undefined : closure)
          : failedModule(file, failed)
      // Without mappings, places in the Solidity source stay what they are.
      return { code, map: { mappings: '' } }
    },
  }
}

export type SolidityPlugin = ReturnType<typeof solidityPlugin>

function pathFrom(folder: string, path: string): string {
  return relative(folder, path).replaceAll('\\', '/')
}
