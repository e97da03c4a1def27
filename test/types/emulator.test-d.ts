// Types of the emulator, through the declarations of the package. tsc checks this file; it is not executed.

import { BrowserProvider } from 'ethers'
import {
  type AccountsOptions,
  createEmulator,
  type Emulator,
  type EmulatorEvents,
  type EmulatorOptions,
  type ErrorKind,
  type GenesisOptions,
  type Snapshot,
  type TickchainError,
} from 'tickchain'
import { custom, type EIP1193Provider, erc20Abi } from 'viem'
import { describe, expectTypeOf, test } from 'vitest'

type Hex = `0x${string}`

declare const chain: Emulator

describe('createEmulator', () => {
  test('takes options or none, and promises an emulator', () => {
    expectTypeOf(createEmulator).toBeCallableWith()
    expectTypeOf(createEmulator).parameter(0).toEqualTypeOf<EmulatorOptions | undefined>()
    expectTypeOf(createEmulator).returns.resolves.toEqualTypeOf<Emulator>()
  })

  test('has choices that are literal unions', () => {
    type Choice<Name extends keyof EmulatorOptions> = NonNullable<EmulatorOptions[Name]>
    expectTypeOf<Choice<'production'>>().toEqualTypeOf<'interval' | 'auto' | 'manual'>()
    expectTypeOf<Choice<'ordering'>>().toEqualTypeOf<'fees' | 'fifo' | 'lifo' | 'random'>()
    expectTypeOf<Choice<'pendingIdentity'>>().toEqualTypeOf<'partial' | 'null' | 'zero' | 'unnumbered'>()
    expectTypeOf<'prague'>().toExtend<Choice<'hardfork'>>()
    expectTypeOf<'seed'>().not.toExtend<Choice<'hardfork'>>()
    expectTypeOf<Choice<'seed'>>().toEqualTypeOf<number | string>()
  })

  test('takes amounts in any spelling, and accounts in any form', () => {
    expectTypeOf<{
      baseFeePerGas: 0n
      gasLimit: 30_000_000
      timestamp: '0x65920080'
    }>().toExtend<GenesisOptions>()
    expectTypeOf<{ alloc: Record<Hex, { balance: bigint; code: Hex }> }>().toExtend<GenesisOptions>()
    expectTypeOf<{ mnemonic: string; count: number }>().toExtend<AccountsOptions>()
    expectTypeOf<{ privateKeys: Hex[]; balance: bigint }>().toExtend<AccountsOptions>()
    expectTypeOf<[]>().toExtend<AccountsOptions>()
    expectTypeOf<{ privateKey: Hex; balance: bigint }[]>().toExtend<AccountsOptions>()
    // @ts-expect-error: an account of a list is named by its key
    void createEmulator({ accounts: [{ balance: 1n }] })
    // @ts-expect-error: the name of an option is checked
    void createEmulator({ blockTime: 2 })
  })
})

describe('request', () => {
  test('takes undefined for a field that may be absent, with exactOptionalPropertyTypes', () => {
    const value = undefined as Hex | undefined
    void chain.request({ method: 'eth_sendTransaction', params: [{ to: '0x', value }] })
    void chain.request('eth_getLogs', [{ fromBlock: undefined, address: value }])
    // @ts-expect-error: a name has to be one of the fields
    void chain.request('eth_getLogs', [{ fromBlok: undefined }])
  })

  test('knows what a method answers', () => {
    expectTypeOf(chain.request({ method: 'eth_blockNumber' })).resolves.toEqualTypeOf<Hex>()
    expectTypeOf(chain.request('eth_blockNumber')).resolves.toEqualTypeOf<Hex>()
    expectTypeOf(chain.request({ method: 'eth_accounts' })).resolves.toEqualTypeOf<Hex[]>()
    expectTypeOf(chain.request({ method: 'evm_revert', params: ['0x1'] })).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(chain.request('eth_getBalance', ['0x00', 'pending'])).resolves.toEqualTypeOf<Hex>()
    expectTypeOf(
      chain.request({ method: 'eth_sendTransaction', params: [{ to: '0x00', value: '0x1' }] }),
    ).resolves.toEqualTypeOf<Hex>()
  })

  test('knows the fields of objects, and what may be null', () => {
    const receipt = chain.request({ method: 'eth_getTransactionReceipt', params: ['0x00'] })
    type Receipt = Awaited<typeof receipt>
    expectTypeOf<null>().toExtend<Receipt>()
    expectTypeOf<NonNullable<Receipt>['status']>().toEqualTypeOf<Hex>()
    expectTypeOf<NonNullable<Receipt>['contractAddress']>().toEqualTypeOf<Hex | null>()

    const block = chain.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
    type Block = Awaited<typeof block>
    expectTypeOf<null>().toExtend<Block>()
    expectTypeOf<NonNullable<Block>['timestamp']>().toEqualTypeOf<Hex>()

    const logs = chain.request({
      method: 'eth_getLogs',
      params: [{ fromBlock: 'pending', toBlock: 'pending' }],
    })
    expectTypeOf<Awaited<typeof logs>[number]['removed']>().toEqualTypeOf<boolean>()
  })

  test('takes objects that are held in variables, and refuses what a parameter can never be', () => {
    const transaction = { to: '0x00', value: '0x1' }
    expectTypeOf(
      chain.request({ method: 'eth_sendTransaction', params: [transaction] }),
    ).resolves.toEqualTypeOf<Hex>()
    const filter = { fromBlock: 'latest', address: '0x00' }
    expectTypeOf(chain.request('eth_getLogs', [filter])).resolves.not.toBeUnknown()
    // @ts-expect-error: an address is no number
    void chain.request('eth_getBalance', [5])
  })

  test('answers unknown to a method that it does not know', () => {
    expectTypeOf(chain.request({ method: 'eth_unheardOf' })).resolves.toBeUnknown()
    expectTypeOf(chain.request('eth_unheardOf', [1])).resolves.toBeUnknown()
    const method = 'eth_blockNumber' as string
    expectTypeOf(chain.request({ method })).resolves.toBeUnknown()
  })
})

describe('an emulator is', () => {
  test('what custom() of viem takes', () => {
    expectTypeOf(custom).toBeCallableWith(chain)
    expectTypeOf(custom).toBeCallableWith(chain, { retryCount: 0 })
  })

  test('what BrowserProvider of ethers takes', () => {
    expectTypeOf(BrowserProvider).toBeConstructibleWith(chain)
    expectTypeOf(BrowserProvider).toBeConstructibleWith(chain, 31_337, { cacheTimeout: -1 })
  })

  test('an EIP-1193 provider to viem', () => {
    expectTypeOf<Emulator>().toExtend<EIP1193Provider>()
  })
})

describe('the clock, snapshots and events', () => {
  test('time is a number of milliseconds', () => {
    expectTypeOf(chain.now).toEqualTypeOf<number>()
    expectTypeOf(chain.advance).toEqualTypeOf<(ms: number) => Promise<void>>()
    expectTypeOf(chain.jump).toEqualTypeOf<(ms: number) => Promise<void>>()
    expectTypeOf(chain.next).toEqualTypeOf<() => Promise<void>>()
    expectTypeOf(chain.seal).toEqualTypeOf<() => Promise<void>>()
  })

  test('a snapshot is opaque, and a clone an emulator', () => {
    expectTypeOf(chain.snapshot()).toEqualTypeOf<Snapshot>()
    expectTypeOf(chain.revert).toEqualTypeOf<(snapshot: Snapshot) => Promise<void>>()
    expectTypeOf(chain.clone()).toEqualTypeOf<Emulator>()
  })

  test('a state dump is bytes, and is loaded as bytes or hex', () => {
    expectTypeOf(chain.dump()).resolves.toEqualTypeOf<Uint8Array>()
    expectTypeOf(chain.load).toEqualTypeOf<(state: Uint8Array | Hex) => Promise<void>>()
    expectTypeOf<{ state: Uint8Array }>().toExtend<EmulatorOptions>()
    expectTypeOf(chain.rollback).toBeCallableWith(2, { repool: true })
    expectTypeOf(chain.dropTransaction('0x12')).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(chain.request('evm_revert', ['0x1', { keep: true }])).resolves.toEqualTypeOf<boolean>()
  })

  test('ABIs are taken as viem types them, and as artifacts', () => {
    expectTypeOf(chain.registerAbi).toBeCallableWith(erc20Abi)
    expectTypeOf(chain.registerAbi).toBeCallableWith([erc20Abi, { abi: erc20Abi }])
    expectTypeOf<readonly string[]>().not.toExtend<Parameters<Emulator['registerAbi']>[0]>()
  })

  test('listeners get what the event carries', () => {
    chain.on('sealedBlock', (block) => expectTypeOf(block).toEqualTypeOf<EmulatorEvents['sealedBlock']>())
    chain.on('partialBlock', ({ index, gasUsed }) => {
      expectTypeOf(index).toEqualTypeOf<number>()
      expectTypeOf(gasUsed).toEqualTypeOf<bigint>()
    })
    chain.on('consoleLog', ({ origin, transactionHash, args }) => {
      expectTypeOf(origin).toEqualTypeOf<'transaction' | 'call' | 'estimate' | 'simulation'>()
      expectTypeOf(transactionHash).toEqualTypeOf<Hex | undefined>()
      expectTypeOf(args).toEqualTypeOf<readonly (bigint | boolean | string)[]>()
    })
    expectTypeOf(chain.on('sealedBlock', () => undefined)).toEqualTypeOf<Emulator>()
  })
})

test('an error has a kind of the table, a code and the bytes of a revert', () => {
  expectTypeOf<TickchainError>().toExtend<Error>()
  expectTypeOf<TickchainError['kind']>().toEqualTypeOf<ErrorKind>()
  expectTypeOf<'reverted' | 'nonceTooLow'>().toExtend<ErrorKind>()
  expectTypeOf<TickchainError['code']>().toEqualTypeOf<number>()
  expectTypeOf<TickchainError['data']>().toEqualTypeOf<Hex | undefined>()
})
