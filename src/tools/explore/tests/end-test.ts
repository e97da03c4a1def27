// The end of a Solidity test as a test of vitest.

import { escapeControls } from '../../../core/primitives/text-of.ts'
import type { SolidityTestResult } from './options.ts'

interface Sources {
  /** The path of a source, if it is there. */
  readonly fileOf: (source: string) => string | undefined
  /** The line of a test, or of its contract. */
  readonly lineOf: (test: string) => number | undefined
}

/** Skips a test or throws its failure, whose stack has the places in the sources: test runners show and link them. */
export function endTest(
  result: SolidityTestResult,
  skip: (reason: string) => void,
  { fileOf, lineOf }: Sources,
): void {
  const { status, file, contract, test, reason = '', logs, trace = '' } = result
  const { counterexample = [], places = [] } = result
  if (status === 'skipped') skip(reason)
  if (status !== 'failed') return
  const name = test.replace(/\(.*/, '')
  const line = places.some((each) => each.file === file) ? undefined : lineOf(name)
  const own = line === undefined ? [] : [{ name: `${contract}.${name}`, file, line }]
  const frames = [...places, ...own].flatMap((each) => {
    const path = fileOf(each.file)
    return path === undefined ? [] : `    at ${each.name} (${path.replaceAll('\\', '/')}:${each.line}:1)`
  })
  const simplest = counterexample.map((each) => `${each.contract}.${each.call} ${JSON.stringify(each.args)}`)
  const words = [reason, ...simplest, ...logs, trace].filter((part) => part !== '').join('\n')
  const error = new Error(escapeControls(words))
  error.stack = [error.message, ...frames].join('\n')
  throw error
}
