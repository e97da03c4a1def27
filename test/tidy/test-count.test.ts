// The budget of tests that each file is held to (test/test-count.ts).

import { expect, test } from 'vitest'
import { countTests, countViolation } from '../test-count.ts'

test('tests are counted in suites and in suites of suites', () => {
  const one = { type: 'test' }
  expect(countTests({ type: 'suite', tasks: [one, { type: 'suite', tasks: [one, one] }, one] })).toBe(4)
  expect(countTests({ type: 'suite', tasks: [] })).toBe(0)
})

test('four hundred are a file’s most', () => {
  expect(countViolation('a.test.ts', 400)).toBeUndefined()
  expect(countViolation('a.test.ts', 401)).toBe(
    'a.test.ts: 401 tests, more than 400: loop over the values in one test',
  )
})
