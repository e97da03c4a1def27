// Transactions that return to the pool of a rollup: they still cost their sender the rollup's fees.

import type { Emulator } from 'tickchain'
import { type Hex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { startRollup } from './scene.ts'

const sender = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const ETHER = 10n ** 18n
/** Alone in its price: no transaction pays for its data. */
const systemConfig = { baseFeeScalar: 0, blobBaseFeeScalar: 0, operatorFeeConstant: ETHER }
/** 21,000 gas at 2 gwei, and the operator fee. */
const COST = 42_000n * 10n ** 9n + ETHER

async function send(chain: Emulator, nonce: number): Promise<Hex> {
  const raw = await sender.signTransaction({
    ...{ type: 'eip1559', chainId: 31_337, nonce, to: sender.address, gas: 21_000n },
    ...{ maxFeePerGas: 2n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n },
  })
  return chain.request('eth_sendRawTransaction', [raw])
}

/** A chain in manual production whose sender can pay for one transaction, and nearly for two. */
async function startWithSender(): Promise<Emulator> {
  const chain = await startRollup({ rollup: { stack: 'op', systemConfig }, production: 'manual' })
  await chain.setBalance(sender.address, 2n * COST - 1n)
  return chain
}

async function expectSecondRefused(chain: Emulator): Promise<void> {
  await expect(send(chain, 1)).rejects.toThrow(
    `insufficient funds for gas * price + value: balance ${2n * COST - 1n}, queued cost ${COST}, tx cost ${COST}, overshot 1`,
  )
  await chain.setBalance(sender.address, 2n * COST)
  await send(chain, 1)
  expect(await chain.request('txpool_status', [])).toMatchObject({ pending: toHex(2) })
}

test('from a block that a reorganisation has replaced', async () => {
  const chain = await startWithSender()
  await send(chain, 0)
  await chain.seal()
  await chain.reorg({ depth: 1 })
  await expectSecondRefused(chain)
})

test('from the dropped pre-confirmations of a block', async () => {
  const chain = await startRollup({ rollup: { stack: 'op', systemConfig } })
  await chain.setBalance(sender.address, 2n * COST - 1n)
  const hash = await send(chain, 0)
  await chain.advance(200)
  await chain.dropPreconfirmed(hash, { repool: true })
  await expectSecondRefused(chain)
})

test('from a dump', async () => {
  const chain = await startWithSender()
  // The parameters are those of the head, which genesis does not have yet.
  await chain.seal()
  await send(chain, 0)
  const loading = await startWithSender()
  await loading.load(await chain.dump())
  await expectSecondRefused(loading)
})
