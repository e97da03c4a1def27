// The console of the playground.

import { expect, test } from 'vitest'
import { describe, describeError } from '../../site/playground/describe.ts'

test('values are shown as a reader of JavaScript knows them', () => {
  expect(describe('text')).toBe('text')
  expect(describe(42n)).toBe('42n')
  expect(describe({ a: [1, 'b'] })).toBe("{ a: [ 1, 'b' ] }")
  expect(describe(undefined)).toBe('undefined')
  expect(describe(new TypeError('no'))).toBe('TypeError: no')
})

function errorWith(stack: string, cause?: unknown): Error {
  return Object.assign(new Error('it failed', { cause }), { stack })
}

test('an error has the lines in Solidity, then those of the scene', () => {
  const cause = errorWith(`Error: reverted
    at Token.move (contracts/Token.sol:47)
    at Vault.withdraw (0x5fbdb2315678afecb367f032d93f642f64180aa3)
    at derived (https://here/playground/core.js:1:2345)
    at async Promise.all (index 0)`)
  const error = errorWith(
    `Error: it failed
    at call (https://here/playground/viem.js:1:99)
    at async blob:https://here/123:7:3`,
    cause,
  )
  expect(describeError(error, 'blob:https://here/123')).toBe(`Error: it failed
    at Token.move (contracts/Token.sol:47)
    at Vault.withdraw (0x5fbdb2315678afecb367f032d93f642f64180aa3)
    at scene.js:7:3`)
})

test('causes that go round end', () => {
  const error = errorWith('Error: it failed\n    at blob:x:1:1')
  error.cause = error
  expect(describeError(error, 'blob:x')).toBe('Error: it failed\n    at scene.js:1:1')
})
