import { expect, test } from 'vitest'
import { parityError } from '../../../../src/core/rpc/format/trace.ts'

// geth, eth/tracers/native/call_flat_error_mapping_test.go, and a word of each of its tables.
test.each([
  ['max code size exceeded', 'Out of gas'],
  ['max code size exceeded: code size 32769 limit 32768', 'Out of gas'],
  ['out of gas: not enough gas for reentrancy sentry', 'Out of gas'],
  ['stack limit reached 1024 (1023)', 'Out of stack'],
  ['stack underflow (0 <=> 1)', 'Stack underflow'],
  ['invalid opcode: INVALID', 'Bad instruction'],
  ['invalid input length', 'Built-in failed'],
  ['some unknown error', 'some unknown error'],
])('%s is told as %s', (error, words) => {
  expect(parityError(error)).toBe(words)
})
