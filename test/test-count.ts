// A budget of tests for each file of `npm test`: a table of many values is a loop in one test, whose messages name the
// value, not a test for each.

import { afterAll, expect, inject } from 'vitest'

const MOST_TESTS = 400

interface Task {
  readonly type: string
  readonly tasks?: readonly Task[]
}

/** Tests in a file or a suite. */
export function countTests(task: Task): number {
  return task.tasks === undefined ? 1 : task.tasks.reduce((sum, each) => sum + countTests(each), 0)
}

/** The complaint about a file with too many tests. */
export function countViolation(path: string, count: number): string | undefined {
  return count > MOST_TESTS
    ? `${path}: ${count} tests, more than ${MOST_TESTS}: loop over the values in one test`
    : undefined
}

afterAll((_, file) => {
  if (inject('size') !== 'short') return
  expect(countViolation(file.name, countTests(file as Task))).toBeUndefined()
})
