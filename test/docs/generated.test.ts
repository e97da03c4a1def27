import { describe, expect, test } from 'vitest'
import {
  answerExample,
  answerExamples,
  messagePattern,
  renderErrorDocs,
  renderRpcDocs,
  sampleShapes,
} from '../../scripts/render-docs.js'
import { ERROR_TABLE } from '../../src/core/primitives/errors.ts'
import { METHODS } from '../../src/core/rpc/registry.ts'
import { createEmulator } from '../../src/index.ts'
import { read } from '../tidy/repository.ts'

const renew = 'run `npm run docs` and commit what it writes'

describe('docs/rpc.md', () => {
  test.each(Object.entries(METHODS))('the example of %s is answered', async (name, method) => {
    expect(await answerExample(name, method, createEmulator)).not.toBeUndefined()
  })

  test('is current', async () => {
    const answers = await answerExamples(METHODS, createEmulator)
    const rendered = renderRpcDocs(METHODS, answers, await sampleShapes(createEmulator))
    expect(read('docs/rpc.md') === rendered, renew).toBe(true)
  })

  test('a failing example must declare its error, and an example with an error must fail', async () => {
    const { eth_getBalance } = METHODS
    const broken = { ...eth_getBalance, example: { params: ['0x12', 'latest'] } }
    await expect(answerExample('eth_getBalance', broken, createEmulator)).rejects.toThrow(
      'the example of eth_getBalance is answered with invalidParameter, and says a result',
    )
    const refused = { ...eth_getBalance, example: { ...broken.example, error: 'invalidParameter' } }
    expect(await answerExample('eth_getBalance', refused, createEmulator)).toEqual({
      error: {
        code: -32602,
        message: 'invalid argument 0: expected an address of 20 bytes, got "0x12" (1 byte)',
      },
    })
    const works = { ...eth_getBalance, example: { ...eth_getBalance.example, error: 'invalidParameter' } }
    await expect(answerExample('eth_getBalance', works, createEmulator)).rejects.toThrow(
      'the example of eth_getBalance is answered with a result, and says invalidParameter',
    )
  })
})

describe('docs/errors.md', () => {
  test('is current', () => {
    expect(read('docs/errors.md') === renderErrorDocs(ERROR_TABLE), renew).toBe(true)
  })

  test.each([
    ['nonceTooLow', 'nonce too low: next nonce {next}, tx nonce {nonce}'],
    ['alreadyKnown', 'already known'],
    ['feeAboveLimit', 'tx fee ({…} ether) exceeds the configured cap ({…} ether)'],
    ['confirmationTimeout', "Transaction {hash} was added to the mempool but wasn't confirmed within {…}s."],
    ['notReplayProtected', 'only replay-protected (EIP-155) transactions allowed over RPC'],
    ['undecodableTransaction', '{reason}'],
  ] as const)('the pattern of %s', (kind, pattern) => {
    expect(messagePattern(ERROR_TABLE[kind].message)).toBe(pattern)
  })
})
