// Flavor messages of failed executions: those of anvil's geth, Hardhat 3.18 and ganache 7.9, recorded from calls of the
// same kind.
import { JsonRpcApiProvider, type JsonRpcPayload, type JsonRpcResult } from 'ethers'
import { createEmulator, type EmulatorOptions, TickchainError } from 'tickchain'
import { concat, createPublicClient, custom, encodeErrorResult, getAddress, type Hex, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { stranger } from '../../chain/workload.ts'

const abi = [
  { type: 'error', name: 'Error', inputs: [{ name: 'message', type: 'string' }] },
  { type: 'error', name: 'Panic', inputs: [{ name: 'reason', type: 'uint256' }] },
  { type: 'error', name: 'CustomError', inputs: [{ name: 'code', type: 'uint256' }] },
] as const

/** Reverts with its input: CALLDATASIZE PUSH0 PUSH0 CALLDATACOPY CALLDATASIZE PUSH0 REVERT. */
const echo = stranger(1)
const halting = stranger(2)
const flavors = ['anvil', 'hardhat', 'ganache'] as const
type Words = Readonly<Record<(typeof flavors)[number], string>>

const panic = (code: bigint): Hex => encodeErrorResult({ abi, errorName: 'Panic', args: [code] })
const text = encodeErrorResult({ abi, errorName: 'Error', args: ['user error'] })
const customError = encodeErrorResult({ abi, errorName: 'CustomError', args: [7n] })

function start(options: EmulatorOptions, code: Hex = '0xfe') {
  return createEmulator({
    ...options,
    genesis: { alloc: { [echo]: { code: '0x365f5f37365ffd' }, [halting]: { code } } },
  })
}

async function failureOf(answer: Promise<unknown>): Promise<TickchainError> {
  const error = await answer.catch((thrown: unknown) => thrown)
  if (!(error instanceof TickchainError)) throw new Error(`not refused: ${String(error)}`)
  return error
}

describe.each(flavors)('in the flavor %s', (flavor) => {
  const reverts: readonly (readonly [string, Hex, Words])[] = [
    [
      'a text',
      text,
      {
        anvil: 'execution reverted: user error',
        hardhat: "VM Exception while processing transaction: reverted with reason string 'user error'",
        ganache: 'VM Exception while processing transaction: revert user error',
      },
    ],
    [
      'a division by zero',
      panic(0x12n),
      {
        anvil: 'execution reverted: division or modulo by zero',
        hardhat:
          'VM Exception while processing transaction: reverted with panic code 0x12 (Division or modulo division by zero)',
        ganache: 'VM Exception while processing transaction: revert',
      },
    ],
    [
      'a failed assertion',
      panic(1n),
      {
        anvil: 'execution reverted: assert(false)',
        hardhat: 'VM Exception while processing transaction: reverted with panic code 0x1 (Assertion error)',
        ganache: 'VM Exception while processing transaction: revert',
      },
    ],
    [
      'a panic that Solidity does not know',
      panic(0x99n),
      {
        anvil: 'execution reverted: unknown panic code: 0x99',
        hardhat: 'VM Exception while processing transaction: reverted with unknown panic code 0x99',
        ganache: 'VM Exception while processing transaction: revert',
      },
    ],
    [
      'an error of its own',
      customError,
      {
        anvil: 'execution reverted',
        hardhat: `VM Exception while processing transaction: reverted with an unrecognized custom error (return data: ${customError})`,
        ganache: 'VM Exception while processing transaction: revert',
      },
    ],
    [
      'nothing',
      '0x',
      {
        anvil: 'execution reverted',
        hardhat: 'Transaction reverted without a reason string',
        ganache: 'VM Exception while processing transaction: revert',
      },
    ],
  ]

  test.each(reverts)('a call and an estimate that revert with %s', async (_, data, words) => {
    const chain = await start({ flavor })
    const said = { code: 3, kind: 'reverted', message: words[flavor], data }
    for (const method of ['eth_call', 'eth_estimateGas'] as const) {
      expect(await failureOf(chain.request(method, [{ to: echo, data }])), method).toMatchObject(said)
    }
    expect(
      await chain.handle({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to: echo, data }] }),
    ).toEqual({ jsonrpc: '2.0', id: 1, error: { code: 3, message: words[flavor], data } })
  })

  const halts: readonly (readonly [string, Hex, Words])[] = [
    [
      'INVALID',
      '0xfe',
      {
        anvil: 'invalid opcode: INVALID',
        hardhat: 'VM Exception while processing transaction: invalid opcode',
        ganache: 'VM Exception while processing transaction: invalid opcode',
      },
    ],
    [
      'an endless loop',
      '0x5b5f56',
      {
        anvil: 'out of gas',
        hardhat: 'Transaction ran out of gas',
        ganache: 'VM Exception while processing transaction: out of gas',
      },
    ],
  ]

  test.each(halts)('a call that ends with %s', async (_, code, words) => {
    const chain = await start({ flavor }, code)
    const error = await failureOf(chain.request('eth_call', [{ to: halting, gas: toHex(100_000) }]))
    expect(error).toMatchObject({ kind: 'executionFailed', message: words[flavor] })
    // Hardhat's error of a failed execution has the code of a revert, unless it ran out of gas, and data, which its
    // matchers look for.
    const haltCode = flavor === 'hardhat' && words[flavor] !== 'Transaction ran out of gas' ? 3 : -32_000
    expect([error.code, error.data]).toEqual([haltCode, flavor === 'hardhat' ? '0x' : undefined])
  })

  test('viem and ethers decode an error of a contract', async () => {
    const chain = await start({ flavor })
    const client = createPublicClient({ transport: custom(chain, { retryCount: 0 }) })
    const fail = { type: 'function', name: 'fail', inputs: [], outputs: [], stateMutability: 'view' } as const
    const asked = client.readContract({ address: echo, abi: [...abi, fail], functionName: 'fail' })
    // The revert data is the calldata: the selector of fail(), which is no known error.
    await expect(asked).rejects.toMatchObject({ cause: { raw: '0xa9cc4718', signature: '0xa9cc4718' } })
    class Bridge extends JsonRpcApiProvider {
      override async _send(payload: JsonRpcPayload | JsonRpcPayload[]): Promise<JsonRpcResult[]> {
        return (await chain.handle([payload].flat())) as unknown as JsonRpcResult[]
      }
    }
    const provider = new Bridge(31_337, { staticNetwork: true })
    provider._start()
    await expect(provider.call({ to: echo, data: text })).rejects.toMatchObject({
      code: 'CALL_EXCEPTION',
      reason: 'user error',
      data: text,
    })
    provider.destroy()
  })
})

test("panics have Hardhat's names", async () => {
  const chain = await start({ flavor: 'hardhat' })
  const names = {
    '0x11': 'Arithmetic operation overflowed outside of an unchecked block',
    '0x21': 'Tried to convert a value into an enum, but the value was too big or negative',
    '0x22': 'Incorrectly encoded storage byte array',
    '0x31': '.pop() was called on an empty array',
    '0x32': 'Array accessed at an out-of-bounds or negative index',
    '0x41': 'Too much memory was allocated, or an array was created that is too large',
    '0x51': 'Called a zero-initialized variable of internal function type',
  }
  for (const [code, name] of Object.entries(names)) {
    const error = await failureOf(chain.request('eth_call', [{ to: echo, data: panic(BigInt(code)) }]))
    expect(error.message).toBe(
      `VM Exception while processing transaction: reverted with panic code ${code} (${name})`,
    )
  }
})

test("a contract that is too large has Hardhat's message", async () => {
  const chain = await start({ flavor: 'hardhat' })
  // RETURN of 24,577 zero bytes, one more than EIP-170 allows.
  const initCode = concat(['0x61', '0x6001', '0x5f', '0xf3'])
  expect(await failureOf(chain.request('eth_call', [{ data: initCode }]))).toMatchObject({
    message: 'Transaction reverted: trying to deploy a contract whose code is too large',
  })
})

test.each([
  [
    'anvil',
    `unknown account ${stranger(3)}: the chain has no key for it; chain.impersonate(address) lets it send`,
  ],
  ['hardhat', `Unknown account ${getAddress(stranger(3))}`],
  ['ganache', 'sender account not recognized'],
] as const)('an unknown sender is refused with the message of %s', async (flavor, message) => {
  const chain = await start({ flavor })
  const error = await failureOf(chain.request('eth_sendTransaction', [{ from: stranger(3), to: echo }]))
  expect(error).toMatchObject({ kind: 'unknownAccount', code: -32000, message })
})

test("refusals before execution have geth's message, and Hardhat's in its flavor", async () => {
  const messages = await Promise.all(
    flavors.map(async (flavor) => {
      const chain = await start({ flavor })
      return (await failureOf(chain.request('eth_call', [{ to: echo, gas: '0x1' }]))).message
    }),
  )
  expect(messages).toEqual([
    'intrinsic gas too low: gas 1, minimum needed 21000',
    'Transaction requires at least 21000 gas but got 1',
    'intrinsic gas too low: gas 1, minimum needed 21000',
  ])
})

describe('an error of the flavor hardhat', () => {
  test("has the name of Hardhat's class, and the mark by which Hardhat's server knows a ProviderError", async () => {
    const chain = await start({ flavor: 'hardhat' })
    const unknown = await failureOf(chain.request('eth_nothing' as 'eth_chainId'))
    expect(unknown).toMatchObject({ name: 'ProviderError', kind: 'methodNotFound', code: -32004 })
    expect(Object.getOwnPropertyDescriptor(unknown, '_isProviderError')).toEqual({
      configurable: false,
      enumerable: false,
      value: true,
      writable: false,
    })
    const invalid = await failureOf(chain.request('eth_getBalance', ['0x12']))
    expect(invalid).toMatchObject({ name: 'InvalidArgumentsError', kind: 'invalidParameter', code: -32602 })
    const reverted = await failureOf(chain.request('eth_call', [{ to: echo, data: text }]))
    expect(reverted).toMatchObject({ name: 'SolidityError', kind: 'reverted', code: 3, data: text })
    expect('_isProviderError' in reverted).toBe(false)
  })

  test('has an object for data over the wire, and a revert its return data, as from `hardhat node`', async () => {
    const chain = await start({ flavor: 'hardhat', production: 'auto' }, '0x5b5f56')
    const envelope = { jsonrpc: '2.0', id: 1 } as const
    const ask = (method: string, ...params: unknown[]) => chain.handle({ ...envelope, method, params })
    const answer = (error: object) => ({ ...envelope, error })
    const message = 'Method eth_nothing is not supported'
    expect(await ask('eth_nothing')).toEqual(answer({ code: -32004, message, data: { message } }))
    const ranOut = 'Transaction ran out of gas'
    expect(await ask('eth_call', { to: halting, gas: '0x186a0' })).toEqual(
      answer({ code: -32000, message: ranOut, data: { message: ranOut, data: '0x' } }),
    )
    const sent = await ask('eth_sendTransaction', { to: halting, gas: '0x186a0' })
    const { transactions } = (await chain.request('eth_getBlockByNumber', ['0x1', false]))!
    expect(sent).toEqual(
      answer({
        code: -32000,
        message: ranOut,
        data: { message: ranOut, txHash: transactions[0], data: '0x' },
      }),
    )
    const both = await chain.handle([
      { ...envelope, method: 'eth_nothing', params: [] },
      { ...envelope, id: 2, method: 'eth_call', params: [{ to: echo, data: text }] },
    ])
    expect(both).toMatchObject([{ error: { code: -32004 } }, { id: 2, error: { code: 3, data: text } }])
    expect(await chain.handle('{')).toBe(
      JSON.stringify({
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32700,
          message: 'Parse error: the body is not JSON',
          data: { message: 'Parse error: the body is not JSON' },
        },
      }),
    )
  })

  test('is the same error through a fault', async () => {
    const chain = await start({ flavor: 'hardhat' })
    await chain.fault({ method: 'eth_chainId', times: 1, error: { code: -32005, message: 'busy' } })
    expect(await failureOf(chain.request('eth_chainId'))).toMatchObject({
      kind: 'injectedFault',
      code: -32005,
    })
  })

  test('demands the filter of a subscription to logs, as Hardhat, even an empty one', async () => {
    const chain = await start({ flavor: 'hardhat' })
    expect(await failureOf(chain.request('eth_subscribe', ['logs']))).toMatchObject({
      code: -32602,
      message: 'Missing params argument',
    })
    expect(await chain.request('eth_subscribe', ['logs', {}])).toBe('0x1')
    expect(await chain.request('eth_subscribe', ['newHeads'])).toBe('0x2')
  })

  test('refuses legacy transactions before byzantium, and speaks of no access list', async () => {
    const config = { chainId: 31_337, homesteadBlock: 0 }
    const chain = await createEmulator({ flavor: 'hardhat', genesis: { config } })
    const [from] = await chain.listAccounts()
    const request = { from, to: from, gas: '0x5208', gasPrice: '0x3b9aca00' } as const
    expect(await failureOf(chain.request('eth_sendTransaction', [request as never]))).toMatchObject({
      kind: 'transactionTypeNotSupported',
      message: 'transaction type not supported: received type 0',
    })
  })

  // Hardhat reads JSON with serde, whose words these are.
  test.each([
    ['true', 'string "true"'],
    [1, 'integer `1`'],
    [null, 'null'],
  ])('names a value of a wrong type: %j', async (value, shown) => {
    const chain = await start({ flavor: 'hardhat' })
    expect(await failureOf(chain.request('evm_setAutomine', [value as never]))).toMatchObject({
      code: -32602,
      message: `invalid type: ${shown}, expected a boolean`,
    })
  })

  test('leaves what only this library has: parameters and subscriptions', async () => {
    const chain = await start({ flavor: 'hardhat' })
    expect(await chain.request('eth_call', [{ to: stranger(9) }, 'latest', {}, { number: '0x5' }])).toBe('0x')
    expect(await chain.request('eth_subscribe', ['newFlashblockTransactions', true])).toBe('0x1')
    expect(await chain.request('evm_mine', [{ blocks: 3 }])).toBe('0')
    expect(await chain.request('eth_blockNumber')).toBe('0x3')
  })
})
