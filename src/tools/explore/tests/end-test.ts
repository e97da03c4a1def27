// The end of a Solidity test as a test of vitest.

import type { SolidityTestResult } from './options.ts'

/**
 * Skips a test or throws its failure, whose stack has the places in the sources: test runners show and link them. `fileOf` is
 * the path of a source that is there, and `line` that of the test, for a failure without a place in its file.
 */
export function endTest(
  { status, file, contract, test, reason = '', counterexample = [], logs, trace = '' }: SolidityTestResult,
  skip: (reason: string) => void,
  fileOf: (source: string) => string | undefined,
  line: number | undefined,
): void {
  if (status === 'skipped') skip(reason)
  if (status !== 'failed') return
  const places: string[] = []
  const add = (name: string, source: string, at: string | number): void => {
    const path = fileOf(source)
    if (path !== undefined) places.push(`    at ${name} (${path.replaceAll('\\', '/')}:${at}:1)`)
  }
  let isPlaced = line === undefined
  const calls = trace.replace(/^ {4}at (.+) \((.+):(\d+)\)\n+/gm, (_, name, source, at) => {
    add(name, source, at)
    isPlaced ||= source === file
    return ''
  })
  if (!isPlaced) add(`${contract}.${test.replace(/\(.*/, '')}`, file, `${line}`)
  const simplest = counterexample.map((each) => `${each.contract}.${each.call} ${JSON.stringify(each.args)}`)
  const error = new Error([reason, ...simplest, ...logs, calls].filter((part) => part !== '').join('\n'))
  error.stack = [error.message, ...places].join('\n')
  throw error
}
