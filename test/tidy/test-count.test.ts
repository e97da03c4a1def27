// The budget of tests that each file is held to (test/test-count.ts).

import { expect, test } from 'vitest'
import { countViolation } from '../test-count.ts'

test('a file has at most four hundred', () => {
  expect(countViolation(400)).toBeUndefined()
  expect(countViolation(401)).toBe('more than 400 tests in a file: loop over the values in one test')
})
