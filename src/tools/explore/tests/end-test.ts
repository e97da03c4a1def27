// The end of a Solidity test as a test of vitest.

import type { SolidityTestResult } from './options.ts'

interface Sources {
  /** The path of a source, if it is there. */
  readonly fileOf: (source: string) => string | undefined
  /** The line of a test, or of its contract. */
  readonly lineOf: (test: string) => number | undefined
}

/** Skips a test or throws its failure, whose stack has the places in the sources: test runners show and link them. */
export function endTest(
  { status, file, contract, test, reason = '', counterexample = [], logs, trace = '' }: SolidityTestResult,
  skip: (reason: string) => void,
  { fileOf, lineOf }: Sources,
): void {
  if (status === 'skipped') skip(reason)
  if (status !== 'failed') return
  const places: string[] = []
  const add = (name: string, source: string, at: string | number): void => {
    const path = fileOf(source)
    if (path !== undefined) places.push(`    at ${name} (${path.replaceAll('\\', '/')}:${at}:1)`)
  }
  let isPlaced = false
  const calls = trace.replace(/^ {4}at (.+) \((.+):(\d+)\)\n+/gm, (_, name, source, at) => {
    add(name, source, at)
    isPlaced ||= source === file
    return ''
  })
  const name = test.replace(/\(.*/, '')
  const line = isPlaced ? undefined : lineOf(name)
  if (line !== undefined) add(`${contract}.${name}`, file, line)
  const simplest = counterexample.map((each) => `${each.contract}.${each.call} ${JSON.stringify(each.args)}`)
  const error = new Error([reason, ...simplest, ...logs, calls].filter((part) => part !== '').join('\n'))
  error.stack = [error.message, ...places].join('\n')
  throw error
}
