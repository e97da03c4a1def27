// Effects of a revert on viem and ethers clients that watch the chain.

import { Contract, type Log, type LogParams, type OrphanFilter } from 'ethers'
import { createEmulator, type Emulator } from 'tickchain'
import { EmulatorProvider } from 'tickchain/ethers'
import { emulatorTransport } from 'tickchain/viem'
import { createPublicClient, custom, type Hex } from 'viem'
import { foundry } from 'viem/chains'
import { describe, expect, test, vi } from 'vitest'
import { Counter } from '../contracts/generated.ts'
import { ALICE } from '../core/rpc/scene.ts'

const COUNTER: Hex = `0x${'c0'.repeat(20)}`
const genesis = { alloc: { [COUNTER]: { nonce: 1, code: Counter.deployedBytecode } } }

/** Counts once and seals, with a log; goes back to before it. */
async function countAndGoBack(chain: Emulator): Promise<void> {
  const id = await chain.request('evm_snapshot')
  await chain.request('eth_sendTransaction', [{ from: ALICE, to: COUNTER, data: '0xd09de08a' }])
  await chain.seal()
  await chain.request('evm_revert', [id])
}

describe('a revert', () => {
  test("is seen by viem's event watchers", async () => {
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

  test("is seen by ethers' contract listeners", async () => {
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
    // ethers reports a removed log as an orphan event of its own.
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

  test("is seen by viem's filters", async () => {
    const chain = await createEmulator({ genesis })
    const client = createPublicClient({ chain: foundry, transport: custom(chain, { retryCount: 0 }) })
    const filter = await client.createEventFilter({ address: COUNTER })
    await countAndGoBack(chain)
    const changes = await client.getFilterChanges({ filter })
    expect(changes.map((log) => log.removed)).toEqual([false, true])
  })
})
