// Wallet methods, through viem's wallet actions.

import { createEmulator, type EmulatorOptions } from 'tickchain'
import { emulatorConfig } from 'tickchain/viem'
import {
  AtomicityNotSupportedError,
  type BaseError,
  createPublicClient,
  createWalletClient,
  DuplicateIdError,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  type Hex,
  SwitchChainError,
  UnknownBundleIdError,
  UnsupportedNonOptionalCapabilityError,
  UnsupportedProviderMethodError,
} from 'viem'
import { base } from 'viem/chains'
import { grantPermissions } from 'viem/experimental'
import { describe, expect, test } from 'vitest'
import { Counter, Reverter, Token } from '../../../contracts/generated.ts'

// The first two accounts of the "test … junk" mnemonic.
const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const COUNTER = { address: `0x${'c0'.repeat(20)}`, abi: Counter.abi } as const
const REVERTER = { address: `0x${'de'.repeat(20)}`, abi: Reverter.abi } as const

async function start(options: EmulatorOptions = {}) {
  const alloc = {
    [COUNTER.address]: { nonce: 1, code: Counter.deployedBytecode },
    [REVERTER.address]: { nonce: 1, code: Reverter.deployedBytecode },
  }
  const chain = await createEmulator({ genesis: { alloc }, ...options })
  const wallet = createWalletClient({ ...emulatorConfig(chain), account: ALICE })
  const reader = createPublicClient(emulatorConfig(chain))
  return { chain, wallet, reader }
}

test('a bundle with a misspelt field is refused, and one without calls', async () => {
  const { chain } = await start()
  const refusal = (bundle: object) => chain.request('wallet_sendCalls', [{ from: ALICE, ...bundle }])
  await expect(refusal({ cals: [] })).rejects.toMatchObject({
    message: 'invalid argument 0.cals: unknown field, did you mean calls?',
  })
  await expect(refusal({ calls: [] })).rejects.toMatchObject({
    message: 'invalid argument 0.calls: expected at least one call',
  })
})

/** The error of viem that a request failed with. */
async function causeOf(promise: Promise<unknown>): Promise<unknown> {
  const error: BaseError = await promise.then(
    () => expect.unreachable('it did not fail'),
    (reason) => reason,
  )
  return error.walk((it) => 'code' in (it as object))
}

describe('chains', () => {
  test('switching to the one there is succeeds, to another is refused', async () => {
    const { chain, wallet } = await start()
    await expect(wallet.switchChain({ id: 31_337 })).resolves.toBeUndefined()
    expect(await causeOf(wallet.switchChain({ id: base.id }))).toBeInstanceOf(SwitchChainError)
    const refused = chain.request('wallet_switchEthereumChain', [{ chainId: '0x2105' }])
    await expect(refused).rejects.toMatchObject({ code: 4902 })
  })

  test('adding the one there is succeeds, another is refused', async () => {
    const { wallet } = await start()
    await expect(wallet.addChain({ chain: wallet.chain })).resolves.toBeUndefined()
    await expect(wallet.addChain({ chain: base })).rejects.toThrow('unrecognized chain ID 8453')
  })
})

test('permissions to see the accounts are there, and are granted', async () => {
  const { wallet } = await start()
  const addresses = await wallet.getAddresses()
  for (const permissions of [
    await wallet.getPermissions(),
    await wallet.requestPermissions({ eth_accounts: {} }),
  ]) {
    expect(permissions).toMatchObject([{ parentCapability: 'eth_accounts' }])
    expect(permissions[0]?.caveats[0]?.value).toEqual(addresses.map((address) => address.toLowerCase()))
  }
  expect(await wallet.requestAddresses()).toEqual(addresses)
})

describe('permissions to execute (ERC-7715)', () => {
  test('there are none', async () => {
    const { chain } = await start()
    expect(await chain.request('wallet_getSupportedExecutionPermissions')).toEqual({})
    expect(await chain.request('wallet_getGrantedExecutionPermissions')).toEqual([])
  })

  test('a request is refused with a code of EIP-1193, by its earlier name too', async () => {
    const { chain, wallet } = await start()
    const permission = {
      type: 'native-token-allowance',
      data: { allowance: '0x1' },
      isAdjustmentAllowed: true,
    }
    const request = { chainId: '0x7a69', to: BOB, permission }
    await expect(chain.request('wallet_requestExecutionPermissions', [[request]])).rejects.toMatchObject({
      code: 4200,
      message: 'The Provider does not support the requested method wallet_requestExecutionPermissions.',
    })
    const granting = grantPermissions(wallet, {
      expiry: 1_735_689_600,
      permissions: [{ type: 'native-token-transfer', data: { ticker: 'ETH' }, policies: [] }],
    })
    expect(await causeOf(granting)).toBeInstanceOf(UnsupportedProviderMethodError)
  })
})

describe('wallet_watchAsset', () => {
  const asset = { type: 'ERC20', options: { address: BOB, decimals: 18, symbol: 'TICK' } } as const

  test('takes the asset by itself, as viem and EIP-747 send it', async () => {
    const { wallet } = await start()
    expect(await wallet.watchAsset(asset)).toBe(true)
  })

  test('takes it in an array too, and nothing else', async () => {
    const { chain } = await start()
    expect(await chain.request({ method: 'wallet_watchAsset', params: [asset] })).toBe(true)
    const request = chain.request as (method: string, params?: unknown) => Promise<unknown>
    for (const params of [undefined, [], 'ERC20', ['ERC20']]) {
      await expect(request('wallet_watchAsset', params)).rejects.toMatchObject({ code: -32602 })
    }
    await expect(request('wallet_getPermissions', {})).rejects.toMatchObject({ code: -32602 })
  })
})

describe('EIP-5792', () => {
  test('bundles are not atomic, which the capabilities say', async () => {
    const { wallet } = await start()
    const atomic = { status: 'unsupported' }
    expect(await wallet.getCapabilities()).toEqual({ 31337: { atomic } })
    expect(await wallet.getCapabilities({ chainId: 31_337 })).toEqual({ atomic })
    const calls = [{ to: BOB, value: 1n }] as const
    expect(await causeOf(wallet.sendCalls({ calls, forceAtomic: true }))).toBeInstanceOf(
      AtomicityNotSupportedError,
    )
  })

  test('the capabilities are those of the chains asked for, here one at most (EIP-5792)', async () => {
    const { chain } = await start()
    const capabilities = (ids: readonly Hex[]) => chain.request('wallet_getCapabilities', [ALICE, ids])
    const own = { '0x7a69': { atomic: { status: 'unsupported' } } }
    expect(await capabilities(['0x1'])).toEqual({})
    expect(await capabilities(['0x1', '0x7a69'])).toEqual(own)
    expect(await chain.request('wallet_getCapabilities', [ALICE])).toEqual(own)
  })

  test('calls are sent in their order, and pending until they are pre-confirmed', async () => {
    const { chain, wallet, reader } = await start()
    const calls = [
      { to: BOB, value: 5n },
      { to: COUNTER.address, data: encodeFunctionData({ abi: Counter.abi, functionName: 'increment' }) },
    ] as const
    const { id } = await wallet.sendCalls({ calls })
    const pending = {
      id,
      status: 'pending',
      statusCode: 100,
      atomic: false,
      chainId: 31_337,
      version: '2.0.0',
    }
    expect(await wallet.getCallsStatus({ id })).toEqual({ ...pending, receipts: [] })
    await chain.advance(200)
    const { receipts, ...status } = await wallet.getCallsStatus({ id })
    expect(status).toEqual({ ...pending, status: 'success', statusCode: 200 })
    expect(receipts).toMatchObject([
      { status: 'success', blockNumber: 1n, gasUsed: 21_000n, logs: [] },
      { status: 'success', blockNumber: 1n, logs: [{ address: COUNTER.address }] },
    ])
    await chain.advance(1800)
    const [first] = (await wallet.getCallsStatus({ id })).receipts ?? []
    expect(first?.blockHash).toBe((await reader.getBlock()).hash)
    expect(await wallet.waitForCallsStatus({ id })).toMatchObject({ statusCode: 200 })
    await expect(wallet.showCallsStatus({ id })).resolves.toBeUndefined()
  })

  test('a call may depend on those before it', async () => {
    const { chain, wallet, reader } = await start()
    const supply = 1000n
    await wallet.deployContract({ abi: Token.abi, bytecode: Token.bytecode, args: [supply] })
    await chain.advance(2000)
    const token = { to: getContractAddress({ from: ALICE, nonce: 0n }), abi: Token.abi } as const
    const calls = [
      { ...token, functionName: 'approve', args: [ALICE, 7n] },
      { ...token, functionName: 'transferFrom', args: [ALICE, BOB, 7n] },
    ] as const
    const { id } = await wallet.sendCalls({ calls })
    await chain.advance(2000)
    expect(await wallet.getCallsStatus({ id })).toMatchObject({ statusCode: 200 })
    const read = { address: token.to, abi: erc20Abi, functionName: 'balanceOf', args: [BOB] } as const
    expect(await reader.readContract(read)).toBe(7n)
  })

  test.each([
    [500, [true]],
    [500, [true, true]],
    [600, [false, true]],
  ])('status %i: of calls that revert as %j', async (statusCode, reverts) => {
    const { chain, wallet } = await start()
    const failing = encodeFunctionData({ abi: Reverter.abi, functionName: 'revertEmpty' })
    // Gas that is named is not estimated, so that the revert is a matter of the block.
    const calls = reverts.map((isReverting) =>
      isReverting ? { to: REVERTER.address, data: failing, gas: '0x186a0' } : { to: BOB, value: '0x1' },
    )
    const { id } = await chain.request('wallet_sendCalls', [{ version: '2.0.0', from: ALICE, calls }])
    await chain.advance(2000)
    expect(await wallet.getCallsStatus({ id })).toMatchObject({ statusCode, status: 'failure' })
  })

  test('status 400: of calls that are gone', async () => {
    const { chain, wallet } = await start()
    const before = chain.snapshot()
    const { id } = await wallet.sendCalls({ calls: [{ to: BOB, value: 1n }] })
    await chain.revert(before)
    expect(await wallet.getCallsStatus({ id })).toMatchObject({ statusCode: 400, receipts: [] })
  })

  test('where one call is refused none is taken, and the id stays free', async () => {
    const { chain, wallet, reader } = await start()
    const send = (value: bigint) =>
      wallet.sendCalls({
        id: 'mine',
        calls: [
          { to: BOB, value: 1n },
          { to: BOB, value },
        ],
      })
    await expect(send(10n ** 30n)).rejects.toThrow('insufficient funds')
    await chain.advance(2000)
    expect(await reader.getTransactionCount({ address: ALICE })).toBe(0)
    expect(await causeOf(wallet.getCallsStatus({ id: 'mine' }))).toBeInstanceOf(UnknownBundleIdError)
    expect((await send(2n)).id).toBe('mine')
    expect(await causeOf(send(2n))).toBeInstanceOf(DuplicateIdError)
  })

  test('ids that are given do not collide with those that are made', async () => {
    const { wallet } = await start()
    const made = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`
    const send = async (id?: Hex) => {
      const calls = [{ to: BOB, value: 1n }] as const
      return (await wallet.sendCalls({ calls, ...(id === undefined ? {} : { id }) })).id
    }
    expect([await send(made(2)), await send(), await send()]).toEqual([made(2), made(3), made(4)])
    expect([await send(made(5)), await send()]).toEqual([made(5), made(6)])
  })

  test('a bundle has at most 1,000 calls', async () => {
    const { chain } = await start()
    const bundle = { version: '2.0.0', from: ALICE, calls: Array(1001).fill({ to: BOB }) }
    await expect(chain.request('wallet_sendCalls', [bundle])).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('expected at most 1000 items, got 1001'),
    })
  })

  test('a capability is refused, unless it is optional; so is another chain', async () => {
    const { chain, wallet } = await start()
    const calls = [{ to: BOB, value: 1n }] as const
    const paymasterService = { url: 'https://paymaster.test' }
    const demanding = wallet.sendCalls({ calls, capabilities: { paymasterService } })
    expect(await causeOf(demanding)).toBeInstanceOf(UnsupportedNonOptionalCapabilityError)
    const optional = { paymasterService: { ...paymasterService, optional: true } }
    await expect(wallet.sendCalls({ calls, capabilities: optional })).resolves.toBeDefined()
    const bundle = { version: '2.0.0', chainId: '0x1', from: ALICE, calls: [{ to: BOB }] }
    // EIP-5792.
    await expect(chain.request('wallet_sendCalls', [bundle])).rejects.toMatchObject({ code: 5710 })
  })
})
