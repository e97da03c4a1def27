// The end of the clock with the year 9999: no command moves the clock, or a block's timestamp, past it.

import { expect, test } from 'vitest'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../../../src/index.ts'

const END = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000

async function expectEnd(chain: Emulator, call: Promise<unknown>): Promise<void> {
  const { now } = chain
  await expect(call).rejects.toMatchObject({ code: -32602, kind: 'timeOutOfRange' })
  expect(chain.now).toBe(now)
}

/** A chain whose genesis is `seconds` before the end. */
function chainBefore(seconds: number, options: EmulatorOptions = {}): Promise<Emulator> {
  return createEmulator({ genesis: { timestamp: END - seconds }, ...options })
}

test('a block in the last second is sealed, and none after it', async () => {
  const chain = await chainBefore(2)
  await chain.advance(2000)
  const block = await chain.request('eth_getBlockByNumber', ['latest', false])
  expect(block).toMatchObject({ number: '0x1', timestamp: `0x${END.toString(16)}` })
  await expectEnd(chain, chain.seal())
  await expectEnd(chain, chain.request('evm_mine'))
  expect(await chain.request('eth_blockNumber')).toBe('0x1')
})

test('several blocks are all sealed, or none', async () => {
  const chain = await chainBefore(3, { production: 'manual' })
  await expectEnd(chain, chain.request('evm_mine', [{ blocks: 4 }]))
  expect(await chain.request('eth_blockNumber')).toBe('0x0')
  await chain.request('evm_mine', [{ blocks: 3 }])
  expect(await chain.request('eth_blockNumber')).toBe('0x3')
})

test('a transaction that would need a block beyond the end is refused', async () => {
  const chain = await chainBefore(0, { production: 'auto' })
  const [from, to] = await chain.request('eth_accounts')
  await expectEnd(chain, chain.request('eth_sendTransaction', [{ from: from!, to: to! }]))
  expect(await chain.request('eth_getTransactionCount', [from!, 'pending'])).toBe('0x0')
})
