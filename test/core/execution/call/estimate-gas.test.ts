// Gas estimates: sufficient, and none less is. Transactions verify both.

import { encodeDeployData, encodeFunctionData, type Hex, hexToBigInt, toHex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { createEmulator, type Emulator } from '../../../../src/index.ts'
import { Lifecycle, Reverter, Token } from '../../../contracts/generated.ts'
import { readReceipts } from '../../chain/reads.ts'
import {
  makeWallet,
  makeWallets,
  privateKeys,
  type SignedAuthorization,
  type Wallet,
  type Wallets,
} from '../../chain/wallet.ts'
import { stranger } from '../../chain/workload.ts'

interface Message {
  readonly to?: Hex
  readonly data?: Hex
  readonly value?: bigint
  readonly accessList?: readonly { readonly address: Hex; readonly storageKeys: readonly Hex[] }[]
  readonly authorizationList?: readonly SignedAuthorization[]
}

let chain: Emulator
let wallets: Wallets
let wallet: Wallet
let token: Hex
let lifecycle: Hex
/** Contracts that need more gas than they use. */
let greedy: Hex
let nested: Hex

/** Init code that deploys the bytes after it, fewer than 256. */
function initCodeOf(code: Hex): Hex {
  const size = ((code.length - 2) / 2).toString(16).padStart(2, '0')
  return `0x60${size}600a5f3960${size}5ff3${code.slice(2)}`
}

async function deploy(data: Hex): Promise<Hex> {
  await wallet.send({ data, gas: 3_000_000n })
  await chain.seal()
  return (await readReceipts(chain, 'latest'))[0]?.contractAddress as Hex
}

const call = (functionName: 'fill' | 'clear', from: bigint, count: bigint): Hex =>
  encodeFunctionData({ abi: Lifecycle.abi, functionName, args: [from, count] })

beforeAll(async () => {
  chain = await createEmulator({ accounts: { privateKeys } })
  wallets = makeWallets(chain)
  wallet = wallets[0]
  token = await deploy(encodeDeployData({ abi: Token.abi, bytecode: Token.bytecode, args: [10n ** 24n] }))
  lifecycle = await deploy(Lifecycle.bytecode)
  // Reverts unless 500,000 gas are left: PUSH3 500,000, GAS, GT, JUMPI.
  greedy = await deploy(initCodeOf('0x6207a1205a11600c575f5ffd5b00'))
  // Calls `greedy` and reverts if that failed: 1/64 of its gas stays with the caller (EIP-150).
  nested = await deploy(initCodeOf(`0x5f5f5f5f5f73${greedy.slice(2)}5af16022575f5ffd5b00`))
  await wallet.send({ to: lifecycle, data: call('fill', 0n, 10n), gas: 1_000_000n })
  await chain.seal()
})

async function estimate(
  { authorizationList, value = 0n, ...message }: Message,
  from = wallet,
): Promise<bigint> {
  const authorizations = authorizationList?.map(({ chainId, nonce, yParity, ...rest }) => ({
    ...{ ...rest, chainId: toHex(chainId), nonce: toHex(nonce), yParity: toHex(yParity) },
  }))
  const lists = authorizations === undefined ? {} : { authorizationList: authorizations }
  return hexToBigInt(
    await chain.request({
      method: 'eth_estimateGas',
      params: [{ from: from.address, value: toHex(value), ...message, ...lists }],
    }),
  )
}

/** Whether a transaction with this gas limit succeeds, on a chain of its own. */
async function succeeds(message: Message, gas: bigint, from = wallet): Promise<boolean> {
  const copy = chain.clone()
  const { nonce } = from
  const raw = await from.sign({
    type: message.authorizationList === undefined ? 'eip1559' : 'eip7702',
    nonce,
    gas,
    ...message,
  })
  try {
    await copy.request({ method: 'eth_sendRawTransaction', params: [raw] })
  } catch (error) {
    // Not even admitted: less than the intrinsic gas or the floor.
    expect((error as { kind: string }).kind).toMatch(/^(intrinsicGasTooLow|floorGasTooLow)$/)
    return false
  }
  await copy.seal()
  return (await readReceipts(copy, 'latest'))[0]?.status === '0x1'
}

async function expectExact(message: Message, from = wallet): Promise<bigint> {
  const gas = await estimate(message, from)
  expect(await succeeds(message, gas, from), `${gas} is enough`).toBe(true)
  const less = gas - 1n
  expect(await succeeds(message, less, from), `${less} is too little`).toBe(false)
  return gas
}

describe('an estimate suffices, and one less does not', () => {
  test.each<[string, () => Message]>([
    ['a token transfer to a new holder', () => ({ to: token, data: transfer(stranger(1)) })],
    ['a token transfer to oneself', () => ({ to: token, data: transfer(wallet.address) })],
    ['storing in new slots', () => ({ to: lifecycle, data: call('fill', 100n, 7n) })],
    ['clearing slots, which refunds', () => ({ to: lifecycle, data: call('clear', 0n, 10n) })],
    ['clearing and storing nothing', () => ({ to: lifecycle, data: call('clear', 500n, 3n) })],
    ['a deployment', () => ({ data: Lifecycle.bytecode })],
    ['a deployment of nothing', () => ({ data: '0x' })],
    [
      'a contract that creates a contract',
      () => ({
        to: lifecycle,
        value: 5n,
        data: encodeFunctionData({ abi: Lifecycle.abi, functionName: 'createChild' }),
      }),
    ],
    [
      'a contract that creates and destroys one',
      () => ({
        to: lifecycle,
        data: encodeFunctionData({
          abi: Lifecycle.abi,
          functionName: 'createAndDestroy',
          args: [stranger(2)],
        }),
      }),
    ],
    ['calldata that costs its floor', () => ({ to: stranger(1), data: toHex(new Uint8Array(5000).fill(7)) })],
    ['an access list', () => ({ to: stranger(1), accessList: [{ address: token, storageKeys: [] }] })],
    ['a precompile', () => ({ to: toHex(2, { size: 20 }), data: toHex(new Uint8Array(640)) })],
    ['code that asks for more gas than it uses', () => ({ to: greedy })],
    ['code that asks for it one call down', () => ({ to: nested })],
  ])('%s', async (_, message) => {
    await expectExact(message())
  })

  test('an authorization of an existing account, and of a new one', async () => {
    const [, b] = wallets
    await expectExact({ to: stranger(1), authorizationList: [await b.authorize(lifecycle, 0)] })
    const stranded = makeWallet(chain, `0x${'7a'.repeat(32)}`)
    await expectExact({
      to: stranded.address,
      data: call('fill', 0n, 2n),
      authorizationList: [await stranded.authorize(lifecycle, 0)],
    })
  })

  test('an authorization of the sender itself', async () => {
    const [, , c] = wallets
    await expectExact(
      { to: c.address, data: call('fill', 0n, 3n), authorizationList: [await c.authorize(lifecycle, 1)] },
      c,
    )
  })
})

function transfer(to: Hex): Hex {
  return encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [to, 5n] })
}

describe('an estimate by hand', () => {
  test('of a plain transfer is 21,000, for any recipient', async () => {
    expect(await estimate({ to: stranger(1), value: 1n })).toBe(21_000n)
    expect(await estimate({ to: wallet.address })).toBe(21_000n)
  })

  test('of code that needs 500,000 gas after its second opcode is the sum of that, the gas before it, and the intrinsic gas', async () => {
    // PUSH3 takes 3, GAS itself 2, and one more has to be left than 500,000.
    const least = 21_000n + 3n + 2n + 500_001n
    expect(await estimate({ to: greedy })).toBe(least)
    expect(await succeeds({ to: greedy }, least)).toBe(true)
    expect(await succeeds({ to: greedy }, least - 1n)).toBe(false)
  })
})

// An SSTORE of a new slot takes 21,000 + 3 + 2 + 22,100 = 43,105. geth stops its search 1.5% above that.
test.each([43_105, 43_700, 45_000, 100_000])(
  'an estimate with an allowance of %i is the least gas',
  async (gas) => {
    const store = '0x00000000000000000000000000000000000000f2'
    const fresh = await createEmulator({
      genesis: { alloc: { [store]: { balance: 0, code: '0x60015f55' } } },
    })
    const [from = '0x'] = await fresh.request('eth_accounts')
    expect(await fresh.request('eth_estimateGas', [{ from, to: store, gas: toHex(gas) }])).toBe(toHex(43_105))
  },
)

describe('there is no estimate', () => {
  test('for a call that reverts: the error has its reason', async () => {
    const reverter = await deploy(Reverter.bytecode)
    const { abi } = Reverter
    const data = encodeFunctionData({ abi, functionName: 'revertWithString', args: ['no'] })
    await expect(estimate({ to: reverter, data })).rejects.toMatchObject({
      code: 3,
      message: 'execution reverted: no',
    })
    const endless = encodeFunctionData({ abi, functionName: 'loopForever' })
    await expect(
      chain.request({
        method: 'eth_estimateGas',
        params: [{ from: wallet.address, to: reverter, data: endless, gas: toHex(300_000) }],
      }),
    ).rejects.toMatchObject({ code: -32000, message: 'gas required exceeds allowance (300000)' })
  })

  test('for a transfer that the sender cannot pay', async () => {
    const value = toHex(20_000n * 10n ** 18n)
    await expect(
      chain.request({
        method: 'eth_estimateGas',
        params: [{ from: wallet.address, to: stranger(1), value }],
      }),
    ).rejects.toMatchObject({ kind: 'insufficientFunds' })
  })

  // go-ethereum, core/state_transition.go: ErrInsufficientFunds with the address, what it has and what is wanted.
  test('for value that nobody gives: the sender of a call without one is the zero address', async () => {
    const fresh = await createEmulator()
    const words = `insufficient funds for gas * price + value: address 0x${'0'.repeat(40)} have 0 want 1`
    for (const method of ['eth_estimateGas', 'eth_call'] as const)
      await expect(fresh.request(method, [{ to: stranger(1), value: '0x1' }])).rejects.toThrow(words)
    // As %v prints an address in Go: with its checksum.
    const poor = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
    await expect(fresh.request('eth_call', [{ from: poor, to: stranger(1), value: '0x1' }])).rejects.toThrow(
      'address 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 have 0 want 1',
    )
  })

  test('for a sender whose whole balance is the value, at a fee', async () => {
    // Nothing is left for gas; with 42,000 wei more, a transfer at 2 wei can be paid.
    const from = '0x00000000000000000000000000000000000000f1'
    const fresh = await createEmulator({
      genesis: { baseFeePerGas: 0, alloc: { [from]: { balance: 50_000 } } },
    })
    const estimate = (value: number) =>
      fresh.request('eth_estimateGas', [{ from, to: stranger(1), value: toHex(value), gasPrice: '0x2' }])
    await expect(estimate(50_000)).rejects.toMatchObject({
      kind: 'insufficientFunds',
      message: expect.stringContaining(`address ${from} have 50000 want 92000`),
    })
    await expect(estimate(8_001)).rejects.toMatchObject({
      message: 'gas required exceeds allowance (20999)',
    })
    expect(await estimate(8_000)).toBe('0x5208')
  })

  test('beyond what the sender can buy at the fee that it names', async () => {
    // 10,000 ether buy 10,000 gas at one ether each.
    await expect(
      chain.request({
        method: 'eth_estimateGas',
        params: [{ from: wallets[4].address, to: stranger(1), gasPrice: toHex(10n ** 18n) }],
      }),
    ).rejects.toMatchObject({ message: 'gas required exceeds allowance (10000)' })
  })
})
