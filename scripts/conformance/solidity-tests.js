// @ts-check
// Projects of Solidity tests, with the tests that stock forge passes: `expected.json` names them by file and contract. Its
// paths are relative to the folder of foundry.toml.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const EXPECTED = 'expected.json'

/** The folder of the project in a folder of recordings; undefined if it has none. @param {string} directory */
function projectIn(directory) {
  if (!existsSync(join(directory, EXPECTED))) return undefined
  return [directory, join(directory, 'testdata')].find((each) => existsSync(join(each, 'foundry.toml')))
}

/** @param {string} directory */
export function hasSolidityTests(directory) {
  return projectIn(directory) !== undefined
}

/**
 * The version that foundry.toml names, so that a project with another one also runs with the compiler of this repository.
 * @param {string} toml @param {string} version of the compiler that there is
 */
export function namedVersion(toml, version) {
  return /^solc *= *["'](\d+\.\d+\.\d+)["']/m.exec(toml)?.[1] ?? version
}

/** The files that have tests, in the order of their names. @param {string} directory @returns {string[]} */
export function solidityTestFiles(directory) {
  const expected = JSON.parse(readFileSync(join(directory, EXPECTED), 'utf8'))
  return [...new Set(Object.keys(expected).map((key) => key.slice(0, key.lastIndexOf(':'))))].sort()
}

/**
 * Runs tests that have to pass; resolves to their number and to those that do not.
 *
 * @param {typeof import('tickchain/solidity-tests').runSolidityTests} run
 * @param {string} directory
 * @param {import('tickchain/solidity-tests').SolidityTestsOptions & { solc: import('tickchain/solidity-tests').Solc }} options
 * @param {(file: string) => boolean} isWanted
 */
export async function runSolidityProject(run, directory, options, isWanted) {
  const root = /** @type {string} */ (projectIn(directory))
  /** @type {Record<string, string[]>} */
  const expected = JSON.parse(readFileSync(join(directory, EXPECTED), 'utf8'))
  const files = solidityTestFiles(directory).filter(isWanted)
  const names = files.map((file) => file.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const match = { file: new RegExp(`^(${names.join('|')})$`) }
  const toml = readFileSync(join(root, 'foundry.toml'), 'utf8')
  const solc = { ...options.solc, version: () => namedVersion(toml, options.solc.version()) }
  const results = await run(root, { cache: false, ...options, solc, match })
  /** @type {string[]} */
  const reasons = []
  let count = 0
  for (const [key, tests] of Object.entries(expected)) {
    const [file = '', contract = ''] = key.split(':')
    if (!files.includes(file)) continue
    const own = results.filter(
      (each) => each.file === file && (each.contract === contract || each.contract === ''),
    )
    for (const test of tests) {
      count++
      // What fails before its tests is the only result of a contract or a file.
      const found =
        own.find((each) => each.test === test) ??
        own.find(({ test: name }) => /^$|^(setUp|constructor)\(\)$/.test(name))
      if (found?.status === 'passed') continue
      const why = found === undefined ? 'there is no such test' : `${found.status}: ${found.reason ?? ''}`
      reasons.push(`${key} ${test}: ${why}`)
    }
  }
  return { count, reasons }
}
