// Types of the client subpaths. tsc checks this file; it is not executed.

import type { Provider as EthersProvider, JsonRpcApiProvider } from 'ethers'
import { advanceOnPoll, type Emulator, type Provider } from 'tickchain'
import { EmulatorProvider } from 'tickchain/ethers'
import { type RealtimeDriver, startRealtime } from 'tickchain/realtime'
import { emulatorActions, emulatorChain, emulatorConfig, emulatorTransport } from 'tickchain/viem'
import {
  type Chain,
  type CustomTransport,
  createClient,
  createPublicClient,
  createTestClient,
  createWalletClient,
  type EIP1193Provider,
  type EIP1193RequestFn,
  type EIP1474Methods,
  fallback,
  type PublicRpcSchema,
  type TestRpcSchema,
  type TransactionReceipt,
  type Transport,
  type WalletRpcSchema,
} from 'viem'
import { describe, expectTypeOf, test } from 'vitest'

declare const chain: Emulator

describe('request is the request function of viem', () => {
  test('of whatever schema', () => {
    expectTypeOf(chain.request).toExtend<EIP1193RequestFn>()
    expectTypeOf(chain.request).toExtend<EIP1193RequestFn<EIP1474Methods>>()
    expectTypeOf(chain.request).toExtend<EIP1193RequestFn<PublicRpcSchema>>()
    expectTypeOf(chain.request).toExtend<EIP1193RequestFn<WalletRpcSchema>>()
    expectTypeOf(chain.request).toExtend<EIP1193RequestFn<TestRpcSchema<'anvil'>>>()
    const request: EIP1193RequestFn<EIP1474Methods> = chain.request
    expectTypeOf(request({ method: 'eth_blockNumber' })).resolves.toEqualTypeOf<`0x${string}`>()
  })

  test('and so is that of a provider on which time passes', () => {
    expectTypeOf(advanceOnPoll(chain)).toEqualTypeOf<Provider>()
    expectTypeOf<Provider>().toExtend<EIP1193Provider>()
    expectTypeOf<Emulator>().toExtend<Provider>()
  })
})

describe('tickchain/viem', () => {
  const client = createPublicClient(emulatorConfig(chain))

  test('a transport over an emulator pushes, over another provider it polls', () => {
    expectTypeOf(emulatorTransport(chain)).toExtend<Transport<'ipc'>>()
    expectTypeOf(emulatorTransport(advanceOnPoll(chain))).toEqualTypeOf<CustomTransport>()
    expectTypeOf(fallback).toBeCallableWith([emulatorTransport(chain)])
    // Only over a transport that pushes.
    expectTypeOf(client.watchBlockHeaders).toBeFunction()
    client.watchBlockHeaders({ onBlockHeader: ({ number }) => expectTypeOf(number).toEqualTypeOf<bigint>() })
    client.watchBlockNumber({ poll: true, onBlockNumber: () => undefined })
  })

  test('a client has a chain, so that a wallet need not be told', () => {
    expectTypeOf(emulatorChain(chain)).toEqualTypeOf<Chain>()
    expectTypeOf(client.chain).toEqualTypeOf<Chain>()
    const wallet = createWalletClient(emulatorConfig(chain, { reads: 'pending' }))
    expectTypeOf(
      wallet.sendTransaction({ account: '0x00', to: '0x00' }),
    ).resolves.toEqualTypeOf<`0x${string}`>()
    expectTypeOf(createTestClient).toBeCallableWith({ ...emulatorConfig(chain), mode: 'anvil' })
    // @ts-expect-error: there are two sorts of reads
    emulatorChain(chain, { reads: 'safe' })
  })

  test('waiting resolves to a receipt, of any client', () => {
    const waiting = client.extend(emulatorActions(chain)).waitForTransactionReceipt({ hash: '0x00' })
    expectTypeOf(waiting).resolves.toEqualTypeOf<TransactionReceipt>()
    const bare = createClient({ transport: emulatorTransport(chain) }).extend(emulatorActions(chain))
    expectTypeOf(
      bare.waitForTransactionReceipt({ hash: '0x00' }),
    ).resolves.toEqualTypeOf<TransactionReceipt>()
  })
})

test('tickchain/ethers has a provider of ethers', () => {
  expectTypeOf<EmulatorProvider>().toExtend<EthersProvider>()
  expectTypeOf<EmulatorProvider>().toExtend<JsonRpcApiProvider>()
  expectTypeOf(EmulatorProvider).toBeConstructibleWith(chain)
})

test('tickchain/realtime has a driver that stops', () => {
  expectTypeOf(startRealtime).parameter(0).toEqualTypeOf<Emulator>()
  expectTypeOf(startRealtime).returns.toEqualTypeOf<RealtimeDriver>()
  expectTypeOf<RealtimeDriver['stop']>().returns.resolves.toBeVoid()
})
