// What viem and ethers do with the chain as a whole: test actions in all modes, and watchers over a revert.

import { Contract, type Log, type LogParams, type OrphanFilter } from 'ethers'
import { createEmulator, type Emulator } from 'tickchain'
import { EmulatorProvider } from 'tickchain/ethers'
import { emulatorTransport } from 'tickchain/viem'
import { createPublicClient, createTestClient, createWalletClient, custom, type Hex, parseEther } from 'viem'
import { foundry } from 'viem/chains'
import { describe, expect, test, vi } from 'vitest'
import { Counter } from '../contracts/generated.ts'
import { ALICE, BOB } from '../rpc/scene.ts'

const COUNTER: Hex = `0x${'c0'.repeat(20)}`
const genesis = { alloc: { [COUNTER]: { nonce: 1, code: Counter.deployedBytecode } } }

describe.each(['anvil', 'hardhat', 'ganache'] as const)('viem’s test client in mode %s', (mode) => {
  const connect = async () => {
    const chain = await createEmulator({ flavor: mode, production: 'manual' })
    const settings = { chain: foundry, transport: custom(chain, { retryCount: 0 }) }
    const wallet = createWalletClient({ ...settings, account: ALICE })
    const send = (nonce?: number) =>
      wallet.sendTransaction({
        to: BOB,
        value: parseEther('1'),
        gas: 21_000n,
        ...(nonce === undefined ? {} : { nonce }),
      })
    const seen = createPublicClient({ ...settings, cacheTime: 0 })
    return { chain, tester: createTestClient({ ...settings, mode }), seen, send }
  }

  test('looks into the pool, and drops a transaction', async () => {
    const { tester, seen, send } = await connect()
    const [hash, queued] = [await send(), await send(7)]
    expect(await tester.getTxpoolStatus()).toEqual({ pending: 1, queued: 1 })
    const content = await tester.getTxpoolContent()
    expect(Object.values(content.pending)[0]?.['0']).toMatchObject({ hash })
    expect(Object.values((await tester.inspectTxpool()).queued)[0]).toHaveProperty('7')
    await tester.dropTransaction({ hash })
    expect(await tester.getTxpoolStatus()).toEqual({ pending: 0, queued: 1 })
    await expect(seen.getTransaction({ hash })).rejects.toThrow()
    expect(await seen.getTransaction({ hash: queued })).toMatchObject({ nonce: 7 })
  })

  test('goes back to a snapshot', async () => {
    const { chain, tester, seen, send } = await connect()
    const id = await tester.snapshot()
    await send()
    await chain.seal()
    await tester.revert({ id })
    expect(await seen.getBlockNumber()).toBe(0n)
    expect(await seen.getBalance({ address: BOB })).toBe(parseEther('10000'))
  })

  test('dumps the state, resets the chain and loads it again', async () => {
    const { chain, tester, seen, send } = await connect()
    await send()
    await chain.seal()
    const state = await tester.dumpState()
    await tester.reset()
    expect(await seen.getBlockNumber()).toBe(0n)
    await tester.loadState({ state })
    expect(await seen.getBalance({ address: BOB })).toBe(parseEther('10001'))
    const { stateRoot } = await seen.getBlock()
    expect(
      (
        await createEmulator({ state }).then((copy) =>
          copy.request('eth_getBlockByNumber', ['latest', false]),
        )
      )?.stateRoot,
    ).toBe(stateRoot)
  })

  test('is not refused what there is none of here', async () => {
    const { tester } = await connect()
    await tester.setLoggingEnabled(true)
    await tester.setRpcUrl('http://127.0.0.1:8545')
    await expect(tester.reset({ jsonRpcUrl: 'http://127.0.0.1:8545', blockNumber: 1n })).rejects.toThrow(
      'there is no network to fork from',
    )
  })
})

/** Counts once and seals, with a log; goes back to before it. */
async function countAndGoBack(chain: Emulator): Promise<void> {
  const id = await chain.request('evm_snapshot')
  await chain.request('eth_sendTransaction', [{ from: ALICE, to: COUNTER, data: '0xd09de08a' }])
  await chain.seal()
  await chain.request('evm_revert', [id])
}

describe('a revert', () => {
  test('is seen by those who watch events with viem', async () => {
    const chain = await createEmulator({ genesis })
    const client = createPublicClient({ chain: foundry, transport: emulatorTransport(chain) })
    const removed: boolean[] = []
    const stop = client.watchContractEvent({
      ...{ address: COUNTER, abi: Counter.abi, eventName: 'Incremented' },
      onLogs: (logs) => removed.push(...logs.map((log) => log.removed)),
    })
    await chain.request('eth_chainId')
    await vi.waitFor(async () => {
      if (removed.length === 0) await countAndGoBack(chain)
      expect(removed).toEqual([false, true])
    })
    stop()
  })

  test('is seen by those who listen to a log of a contract with ethers', async () => {
    const chain = await createEmulator({ genesis })
    const provider = new EmulatorProvider(chain)
    const id = await chain.request('evm_snapshot')
    const heard: Log[] = []
    await new Contract(COUNTER, Counter.abi, provider).on('Incremented', (...args) =>
      heard.push(args.at(-1).log),
    )
    await chain.request('eth_sendTransaction', [{ from: ALICE, to: COUNTER, data: '0xd09de08a' }])
    await chain.seal()
    await vi.waitFor(() => expect(heard).toHaveLength(1))
    // ethers tells of a removed log as of an orphan of its own.
    const orphan = {
      orphan: 'drop-log',
      log: { ...heard[0]?.toJSON(), removed: true },
    } as unknown as OrphanFilter
    const removed: LogParams[] = []
    await provider.on(orphan, (log: LogParams) => removed.push(log))
    await chain.request('evm_revert', [id])
    await vi.waitFor(() => expect(removed).toMatchObject([{ blockHash: heard[0]?.blockHash, removed: true }]))
    provider.destroy()
  })

  test('is seen by those who poll a filter with viem', async () => {
    const chain = await createEmulator({ genesis })
    const client = createPublicClient({ chain: foundry, transport: custom(chain, { retryCount: 0 }) })
    const filter = await client.createEventFilter({ address: COUNTER })
    await countAndGoBack(chain)
    const changes = await client.getFilterChanges({ filter })
    expect(changes.map((log) => log.removed)).toEqual([false, true])
  })
})
