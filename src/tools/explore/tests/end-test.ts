// The end of a Solidity test as a test of vitest.

import type { SolidityTestResult } from './options.ts'

/** Skips a test or throws its failure, whose stack has the places in the sources: test runners show and link them. */
export function endTest(
  { status, reason = '', counterexample = [], logs, trace = '' }: SolidityTestResult,
  skip: (reason: string) => void,
  pathOf: (source: string) => string,
): void {
  if (status === 'skipped') skip(reason)
  if (status !== 'failed') return
  const places: string[] = []
  const calls = trace.replace(/^ {4}at (.+) \((.+):(\d+)\)\n+/gm, (_, name, source, line) => {
    places.push(`    at ${name} (${pathOf(source)}:${line}:1)`)
    return ''
  })
  const simplest = counterexample.map(
    ({ contract, call, args }) => `${contract}.${call} ${JSON.stringify(args)}`,
  )
  const error = new Error([reason, ...simplest, ...logs, calls].filter((line) => line !== '').join('\n'))
  error.stack = [error.message, ...places].join('\n')
  throw error
}
