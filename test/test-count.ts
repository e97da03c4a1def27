// A budget of tests for each file of `npm test`: a table of many values is a loop in one test, whose message names the
// value.

import { beforeEach, inject } from 'vitest'

const MOST_TESTS = 400

/** The complaint about one test too many. */
export function countViolation(count: number): string | undefined {
  return count > MOST_TESTS
    ? `more than ${MOST_TESTS} tests in a file: loop over the values in one test`
    : undefined
}

// This module is evaluated for each file.
let count = 0

beforeEach(() => {
  count++
  const violation = inject('size') === 'short' ? countViolation(count) : undefined
  if (violation !== undefined) throw new Error(violation)
})
