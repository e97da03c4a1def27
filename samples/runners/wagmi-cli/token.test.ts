import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, createConfig, deployContract, getTransactionReceipt, injected } from '@wagmi/core'
import type { AbiParametersToPrimitiveTypes, ExtractAbiFunction } from 'abitype'
import { createEmulator } from 'tickchain'
import { emulatorChain, emulatorTransport } from 'tickchain/viem'
import {
  readTokenBalanceOf,
  type tokenAbi,
  watchTokenTransferEvent,
  writeTokenTransfer,
} from './generated.ts'
import { Token } from './token.ts'

const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
type Transfer = AbiParametersToPrimitiveTypes<ExtractAbiFunction<typeof tokenAbi, 'transfer'>['inputs']>

// wagmi looks for wallets only if there is a window.
Object.assign(globalThis, { window: new EventTarget() })

test('a transfer is pre-confirmed, and then sealed', async () => {
  const emulator = await createEmulator()
  const chain = emulatorChain(emulator, { reads: 'pending' })
  const target = { id: 'tickchain', name: 'tickchain', provider: emulator }
  const config = createConfig({
    chains: [chain],
    connectors: [injected({ target: () => target as never })],
    transports: { [chain.id]: emulatorTransport(emulator, { reads: 'pending' }) },
    storage: null,
  })
  await connect(config, { connector: config.connectors[0]! })
  const deployment = await deployContract(config, { ...Token, args: [1000n] })
  await emulator.advance(200)
  const { contractAddress } = await getTransactionReceipt(config, { hash: deployment })
  const address = contractAddress!

  const values: (bigint | undefined)[] = []
  const stop = watchTokenTransferEvent(config, {
    address,
    onLogs: (logs) => values.push(...logs.map(({ args }) => args.value)),
  })
  const args: Transfer = [BOB, 7n]
  const hash = await writeTokenTransfer(config, { address, args })
  const startedAt = emulator.now
  await emulator.advance(200)
  const receipt = await getTransactionReceipt(config, { hash })
  assert.deepEqual([receipt.status, receipt.blockNumber, emulator.now - startedAt], ['success', 1n, 200])
  assert.deepEqual(values, [7n])
  stop()
  assert.equal(await readTokenBalanceOf(config, { address, args: [BOB] }), 7n)
})
