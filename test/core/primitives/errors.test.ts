import { describe, expect, test } from 'vitest'
import {
  ERROR_TABLE,
  type ErrorKind,
  failure,
  revertFailure,
  TickchainError,
} from '../../../src/core/primitives/errors.ts'

const kinds = Object.keys(ERROR_TABLE) as ErrorKind[]

/** Words of a row for details that answer 1 to everything; durations are numbers. */
function wordsOf(kind: ErrorKind): string {
  const anything = new Proxy({}, { get: (_, key) => (key === 'ms' ? 1 : 1n) })
  return `${(ERROR_TABLE[kind].message as (detail: unknown) => string)(anything)}`
}

describe('every row of the table', () => {
  test.each(kinds)('%s has an integer code and words', (kind) => {
    expect(ERROR_TABLE[kind].code).toSatisfy(Number.isSafeInteger)
    expect(wordsOf(kind)).toMatch(/\S/)
    expect(wordsOf(kind)).not.toMatch(/undefined|NaN|\[object/)
  })

  test('has a code other than -32603, but for `internal` and the one that execution-apis records', () => {
    const internal = kinds.filter((kind) => ERROR_TABLE[kind].code === -32603)
    expect(internal).toEqual(['internal', 'simulatedNonceMax'])
  })
})

describe('the four admission errors have the words of the specification and code -32000', () => {
  test.each([
    [failure('nonceTooLow', { next: 5n, nonce: 3n }), 'nonce too low'],
    [failure('insufficientFunds', { balance: 1n, cost: 5n }), 'insufficient funds for gas * price + value'],
    [failure('alreadyKnown', { hash: '0xab' }), 'already known'],
    [
      failure('replacementUnderpriced', { nonce: 0n, fee: 'maxFeePerGas', least: 2n }),
      'replacement transaction underpriced',
    ],
  ])('%s', (error, words) => {
    expect(error.message.startsWith(words)).toBe(true)
    expect(error.code).toBe(-32000)
  })
})

describe('JSON-RPC 2.0 reserves the codes of the envelope', () => {
  test.each([
    ['parseError', -32700],
    ['invalidRequest', -32600],
    ['methodNotFound', -32601],
    ['missingParameter', -32602],
    ['invalidParameter', -32602],
    ['tooManyParameters', -32602],
    ['internal', -32603],
  ] as const)('%s is %i', (kind, code) => {
    expect(ERROR_TABLE[kind].code).toBe(code)
  })
})

describe('the words of geth', () => {
  test('a nonce that is too low is told beside the next one', () => {
    expect(failure('nonceTooLow', { next: 5n, nonce: 3n }).message).toBe(
      'nonce too low: next nonce 5, tx nonce 3',
    )
  })

  test('a sender who cannot pay is told by how much', () => {
    expect(failure('insufficientFunds', { balance: 10n, cost: 25n }).message).toBe(
      'insufficient funds for gas * price + value: balance 10, tx cost 25, overshot 15',
    )
  })

  test('what is already queued counts towards the cost', () => {
    expect(failure('insufficientFunds', { balance: 10n, cost: 8n, queuedCost: 7n }).message).toBe(
      'insufficient funds for gas * price + value: balance 10, queued cost 7, tx cost 8, overshot 5',
    )
  })
})

describe('an error', () => {
  test('is an Error that tells its kind and code', () => {
    const error = failure('unknownAccount', { address: '0xab' })
    expect(error).toBeInstanceOf(TickchainError)
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ name: 'TickchainError', kind: 'unknownAccount', code: -32000 })
  })

  test('has data only where there is some', () => {
    expect('data' in failure('poolFull')).toBe(false)
    expect(revertFailure(undefined, '0x').data).toBe('0x')
  })

  test('of a revert has code 3, the reason and the return bytes', () => {
    expect(revertFailure('no', '0x08c379a0')).toMatchObject({
      kind: 'reverted',
      code: 3,
      message: 'execution reverted: no',
      data: '0x08c379a0',
    })
    expect(revertFailure(undefined, '0x').message).toBe('execution reverted')
    expect(revertFailure('', '0x').message).toBe('execution reverted: ')
  })
})
