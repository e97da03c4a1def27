// What Hardhat's provider tests expect beyond EDR's answers in test/interop/edr, through one chain. The values are those
// tests' own (EDR, hardhat-tests/test/internal/hardhat-network/provider), with the case of EDR's messages.

import { type Emulator, TickchainError } from 'tickchain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmulator } from '../../../../src/tools/solidity/create-emulator.ts'

const ALICE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const SHORT_KEY = `0x${'00'.repeat(30)}02`
const BELOW_KEY = `{ [K in address]: stateOverrideOptions } | undefined/${ALICE}: stateOverrideOptions/stateDiff: `
const LONG_CODE = `0x${'00'.repeat(49_153)}`

let chain: Emulator

beforeAll(async () => {
  chain = await createEmulator({ flavor: 'hardhat', production: 'auto' })
})
afterAll(() => chain.dispose())

const call = (overrides: unknown): readonly unknown[] => [{ to: ALICE }, 'latest', overrides]

const REFUSED: readonly (readonly [
  method: string,
  params: readonly unknown[],
  code: number,
  words: string,
])[] = [
  ...['hardhat_setBalance', 'hardhat_setNonce', 'hardhat_setCode'].map(
    (method) =>
      [
        method,
        ['0x1234', '0x0'],
        -32602,
        'Errors encountered in param 0: invalid value "0x1234" supplied to : ADDRESS',
      ] as const,
  ),
  [
    'hardhat_setStorageAt',
    [ALICE, 'xyz', '0x63'],
    -32602,
    'Errors encountered in param 1: invalid value "xyz" supplied to : QUANTITY',
  ],
  [
    'eth_call',
    call({ [ALICE.slice(0, -2)]: { balance: '0x0' } }),
    -32602,
    `Errors encountered in param 2: invalid value "${ALICE.slice(0, -2)}" supplied to : { [K in address]: stateOverrideOptions } | undefined/${ALICE.slice(0, -2)}: address`,
  ],
  [
    'eth_call',
    call({ [ALICE]: { stateDiff: { [SHORT_KEY]: `0x${'00'.repeat(32)}` } } }),
    -32602,
    `Errors encountered in param 2: invalid value "${SHORT_KEY}" supplied to : ${BELOW_KEY}{ [K in Storage slot hex string]: Storage slot } | undefined/${SHORT_KEY}: Storage slot hex string`,
  ],
  [
    'eth_call',
    call({ [ALICE]: { balance: `0x1${'00'.repeat(32)}` } }),
    -32000,
    "The 'balance' property should occupy a maximum of 32 bytes (balance=115792089237316195423570985008687907853269984665640564039457584007913129639936).",
  ],
  [
    'eth_call',
    call({ [ALICE]: { nonce: '0x10000000000000000' } }),
    -32000,
    "The 'nonce' property should occupy a maximum of 8 bytes (nonce=18446744073709551616).",
  ],
  [
    'eth_sendRawTransaction',
    [
      '0xf3808501dcd6500083015f9080800082011a80a00dbd1a45b7823be518540ca77afb7178a470b8054281530a6cdfd0ad3328cf96',
    ],
    -32602,
    'Invalid Signature',
  ],
  [
    'eth_sendTransaction',
    [{ from: ALICE, data: LONG_CODE, gas: '0xf00000', gasPrice: '0x0' }],
    -32602,
    'Trying to send a deployment transaction whose init code length is 49153.',
  ],
  ...[
    'eth_getUncleByBlockHashAndIndex',
    'eth_getUncleByBlockNumberAndIndex',
    'eth_getUncleCountByBlockHash',
    'eth_getUncleCountByBlockNumber',
    'eth_hashrate',
    'eth_protocolVersion',
    'eth_signTransaction',
    'eth_signTypedData',
  ].map((method) => [method, [], -32004, `Method ${method} is not supported`] as const),
  ['evm_setNextBlockTimestamp', ['0x10000000000000000'], -32602, 'not exceeding 2^64 - 1'],
]

test.each(REFUSED)('refuses %s as Hardhat', async (method, params, code, words) => {
  const error = await chain.request(method, params as unknown[]).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TickchainError)
  expect(error).toMatchObject({ code, message: expect.stringContaining(words) })
})

test('takes the latest timestamp, and makes no block of it', async () => {
  const asked = '18446744073709551615'
  expect(await chain.request('evm_setNextBlockTimestamp', ['0xFFFFFFFFFFFFFFFF'])).toBe(asked)
  const fresh = await createEmulator({ flavor: 'hardhat', production: 'auto' })
  await fresh.load(await chain.dump())
  for (const each of [chain, fresh]) {
    await expect(each.request('evm_mine')).rejects.toMatchObject({ kind: 'timeOutOfRange' })
    await each.request('evm_setNextBlockTimestamp', [1_800_000_000])
    await each.request('evm_mine')
    expect((await each.request('eth_getBlockByNumber', ['latest', false]))?.timestamp).toBe('0x6b49d200')
  }
  fresh.dispose()
})

test('names no contract in the receipt of a creation that fails', async () => {
  await chain.request('evm_setAutomine', [false])
  const params = [{ from: ALICE, data: '0x60006000fd', gas: '0x186a0' }] as const
  const hash = await chain.request('eth_sendTransaction', params)
  await chain.request('evm_mine')
  expect(await chain.request('eth_getTransactionReceipt', [hash])).toMatchObject({
    status: '0x0',
    contractAddress: null,
  })
})

test('has a client version that ends like that of EDR', async () => {
  expect(await chain.request('web3_clientVersion')).toMatch(/^HardhatNetwork\/.*\/@nomicfoundation\/edr/)
})
