// EIP-4788 and EIP-2935: the protocol's writes, read by calls to the contracts.

import { type Hex, hexToNumber, keccak256, pad, toHex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeRules } from '../../../src/core/rollup/rules.ts'
import { startBlock, systemContracts } from '../../../src/core/rollup/system-contracts.ts'
import { EMPTY_WORLD_STATE, readStorage, type WorldState } from '../../../src/core/state/world-state.ts'
import { createEmulator, type Emulator } from '../../../src/index.ts'
import { readBlock, readChain, type Selector } from '../chain/reads.ts'
import { makeWallets, privateKeys } from '../chain/wallet.ts'
import { BEACON_ROOTS, BLOCK_HASHES, stranger } from '../chain/workload.ts'

const RING_SIZE = 8191

let chain: Emulator

beforeEach(async () => {
  chain = await createEmulator({ accounts: { privateKeys } })
})

function ask(contract: Hex, data: Hex, selector: Selector): Promise<Hex> {
  return chain.request({ method: 'eth_call', params: [{ to: contract, data }, selector] })
}

const word = (value: Hex | number): Hex =>
  typeof value === 'number' ? toHex(value, { size: 32 }) : pad(value, { size: 32 })

describe('the beacon root contract (EIP-4788)', () => {
  test('has the code that the EIP prints', async () => {
    const code = await chain.request({ method: 'eth_getCode', params: [BEACON_ROOTS] })
    expect(code).toBe(
      '0x3373fffffffffffffffffffffffffffffffffffffffe14604d57602036146024575f5ffd5b5f35801560495762001fff81069081' +
        '5414603c575f5ffd5b62001fff01545f5260205ff35b5f5ffd5b62001fff42064281555f359062001fff015500',
    )
    expect(await chain.request({ method: 'eth_getTransactionCount', params: [BEACON_ROOTS] })).toBe('0x1')
  })

  test('answers the parent beacon root of every block by its timestamp', async () => {
    const [wallet] = makeWallets(chain)
    for (let block = 0; block < 3; block++) {
      await wallet.send({ to: stranger(1), value: 1n })
      await chain.advance(2000)
    }
    const blocks = (await readChain(chain)).slice(1)
    for (const { timestamp, parentBeaconBlockRoot } of blocks) {
      expect(await ask(BEACON_ROOTS, word(timestamp), 'latest')).toBe(parentBeaconBlockRoot)
    }
    expect(new Set(blocks.map((block) => block.parentBeaconBlockRoot)).size).toBe(blocks.length)
  })

  test('answers the root of the block being built', async () => {
    const { timestamp, parentBeaconBlockRoot } = await readBlock(chain, 'pending')
    expect(await ask(BEACON_ROOTS, word(timestamp), 'pending')).toBe(parentBeaconBlockRoot)
    await expect(ask(BEACON_ROOTS, word(timestamp), 'latest')).rejects.toMatchObject({ kind: 'reverted' })
  })

  test.each([
    ['a time without a block', word(1)],
    ['time zero', word(0)],
    ['less than a word', '0x01' as Hex],
    ['more than a word', `${word(1)}00` as Hex],
  ])('reverts when asked with %s', async (_, data) => {
    await chain.advance(4000)
    await expect(ask(BEACON_ROOTS, data, 'latest')).rejects.toMatchObject({ kind: 'reverted', data: '0x' })
  })

  test('forgets a time when the ring comes round to it', async () => {
    await chain.advance(2000)
    const first = hexToNumber((await readBlock(chain, 1)).timestamp)
    await chain.request({ method: 'evm_setNextBlockTimestamp', params: [first + RING_SIZE] })
    await chain.advance(2000)
    const { parentBeaconBlockRoot } = await readBlock(chain, 2)
    expect(await ask(BEACON_ROOTS, word(first + RING_SIZE), 'latest')).toBe(parentBeaconBlockRoot)
    await expect(ask(BEACON_ROOTS, word(first), 'latest')).rejects.toMatchObject({ kind: 'reverted' })
    // In the state of block 1 it is still there.
    expect(await ask(BEACON_ROOTS, word(first), 1)).toBe((await readBlock(chain, 1)).parentBeaconBlockRoot)
  })

  test('is not there before cancun', async () => {
    chain = await createEmulator({ hardfork: 'shanghai', accounts: [] })
    expect(await chain.request({ method: 'eth_getCode', params: [BEACON_ROOTS] })).toBe('0x')
  })
})

describe('the block hash contract (EIP-2935)', () => {
  test('has the code that the EIP prints', async () => {
    const code = await chain.request({ method: 'eth_getCode', params: [BLOCK_HASHES] })
    expect(code).toBe(
      '0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257' +
        '611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500',
    )
  })

  test('answers the hash of every block before', { tags: 'gate' }, async () => {
    await chain.request({ method: 'evm_mine', params: [{ blocks: 300 }] })
    const blocks = await readChain(chain)
    for (const number of [0, 1, 40, 299]) {
      expect(await ask(BLOCK_HASHES, word(number), 'latest')).toBe(blocks[number]?.hash)
    }
    for (const number of [300, 301]) {
      await expect(ask(BLOCK_HASHES, word(number), 'latest')).rejects.toMatchObject({ kind: 'reverted' })
    }
    expect(await ask(BLOCK_HASHES, word(300), 'pending')).toBe(blocks[300]?.hash)
    expect(await ask(BLOCK_HASHES, word(4), 5)).toBe(blocks[4]?.hash)
    await expect(ask(BLOCK_HASHES, word(5), 5)).rejects.toMatchObject({ kind: 'reverted' })
  })

  test('keeps the parent of block n in slot (n − 1) mod 8191, and so the last 8191', () => {
    const rules = makeRules(1, 'prague')
    let state: WorldState = EMPTY_WORLD_STATE
    for (const [address, account] of systemContracts(rules)) state = state.set(address, account)
    const parentHashOf = (number: number): Hex => keccak256(toHex(number))
    const numbers = [1, 2, 8191, 8192, 8193, 20_000]
    for (const number of numbers) {
      const parentHash = parentHashOf(number)
      state = startBlock(rules, rules, state, {
        number,
        timestamp: number,
        parentHash,
        parentBeaconBlockRoot: parentHash,
      })
    }
    const stored = (slot: number): Hex => toHex(readStorage(state, BLOCK_HASHES, word(slot)))
    expect([0, 1, 8190].map(stored)).toEqual([8192, 8193, 8191].map(parentHashOf))
    // 19,999 = 2 × 8191 + 3617.
    expect(stored(3617)).toBe(parentHashOf(20_000))
  })

  test('is not there before prague', async () => {
    chain = await createEmulator({ hardfork: 'cancun', accounts: [] })
    expect(await chain.request({ method: 'eth_getCode', params: [BLOCK_HASHES] })).toBe('0x')
  })
})
