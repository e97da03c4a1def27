// Blocks before the merge in the flavor hardhat. Expected values are Hardhat's (EDR 0.22), or follow from the formula:
// the parent's difficulty and 1/2048 of it, less as much for every 9 seconds, at least 131,072.
import { createEmulator, type Emulator, type EmulatorOptions } from 'tickchain'
import { parseEther } from 'viem'
import { describe, expect, test } from 'vitest'
import { ALICE, BOB } from '../rpc/scene.ts'

const COINBASE = '0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e'
const START = 1_767_225_600

function start(
  hardfork: NonNullable<EmulatorOptions['hardfork']>,
  options: EmulatorOptions = {},
): Promise<Emulator> {
  return createEmulator({
    flavor: 'hardhat',
    production: 'auto',
    hardfork,
    genesis: { timestamp: START },
    ...options,
  })
}

async function mineAt(chain: Emulator, seconds: number): Promise<void> {
  await chain.setNextBlockTimestamp(START + seconds)
  await chain.mine(1)
}

async function readBlock(chain: Emulator, which: number | 'latest' | 'pending') {
  const block = await chain.request('eth_getBlockByNumber', [
    typeof which === 'number' ? `0x${which.toString(16)}` : which,
    false,
  ])
  const { difficulty, totalDifficulty, nonce, mixHash, stateRoot } = block!
  return { difficulty: Number(difficulty), total: Number(totalDifficulty), nonce, mixHash, stateRoot }
}

async function balanceAt(chain: Emulator, which: string): Promise<bigint> {
  return BigInt(await chain.request('eth_getBalance', [COINBASE, which as 'latest']))
}

describe('blocks with proof of work', () => {
  test.each([
    ['byzantium', 3n],
    ['constantinople', 2n],
    ['muirGlacier', 2n],
    ['grayGlacier', 2n],
  ] as const)('have difficulty, nonce and a reward in %s', async (hardfork, ether) => {
    const chain = await start(hardfork)
    const nonce = '0x0000000000000042'
    expect(await readBlock(chain, 0)).toMatchObject({ difficulty: 1, total: 1, nonce })
    for (const seconds of [1, 100, 101]) await mineAt(chain, seconds)
    const mixHash = `0x${'0'.repeat(64)}`
    expect(await readBlock(chain, 1)).toMatchObject({ difficulty: 131_072, total: 131_073, nonce, mixHash })
    expect(await readBlock(chain, 2)).toMatchObject({ difficulty: 131_072, total: 262_145 })
    expect(await readBlock(chain, 3)).toMatchObject({ difficulty: 131_136, total: 393_281 })
    const reward = ether * 10n ** 18n
    expect(await balanceAt(chain, '0x1')).toBe(reward)
    expect(await balanceAt(chain, 'latest')).toBe(3n * reward)
    expect(await balanceAt(chain, 'pending')).toBe(4n * reward)
  })

  test('have the state roots of Hardhat', async () => {
    const chain = await start('byzantium')
    expect((await readBlock(chain, 0)).stateRoot).toBe(
      '0x829ff6f5b5116bc96a7415872fed27f243e557a92cb82f69f89f20e8f8087874',
    )
    await mineAt(chain, 1)
    await mineAt(chain, 100)
    expect((await readBlock(chain, 1)).stateRoot).toBe(
      '0xbf2b7325b2e0823956871ddf69b680f34f5b840367eebffe48af17781618ed1d',
    )
    expect((await readBlock(chain, 2)).stateRoot).toBe(
      '0x12474e6c28a3aba438e4c9aa11339a9020256d5eebf08f0c1b04e59f8d84b52e',
    )
  })

  test('are paid after their transactions', async () => {
    const chain = await start('byzantium')
    // Stores DIFFICULTY and the balance of COINBASE.
    await chain.setCode(BOB, '0x446000554131600155')
    await chain.setNextBlockTimestamp(START + 1)
    await chain.request('eth_sendTransaction', [
      { from: ALICE, to: BOB, gas: '0x186a0', gasPrice: '0x77359400' },
    ])
    const slot = async (position: '0x0' | '0x1') =>
      BigInt(await chain.request('eth_getStorageAt', [BOB, position, 'latest']))
    expect(await slot('0x0')).toBe(131_072n)
    expect(await slot('0x1')).toBe(0n)
    // 21,000 + 2 + 3 + 20,000 and 2 + 400 + 3 + 5,000 gas; the zero in slot 1 stays.
    expect(await balanceAt(chain, 'latest')).toBe(parseEther('3') + 46_410n * 2_000_000_000n)
    const balance = await chain.request('eth_call', [
      { from: ALICE, to: BOB },
      'pending',
      { [BOB]: { code: '0x413160005260206000f3' } },
    ])
    expect(BigInt(balance)).toBe(parseEther('6') + 46_410n * 2_000_000_000n)
  })

  test('are reserved without difficulty and reward but for the first two and the last', async () => {
    const chain = await start('berlin')
    await chain.request('hardhat_mine', ['0x8'])
    const difficulties = []
    for (let number = 1; number <= 8; number++) difficulties.push((await readBlock(chain, number)).difficulty)
    expect(difficulties).toEqual([131_072, 131_136, 1, 1, 1, 1, 1, 131_072])
    expect(await readBlock(chain, 7)).toMatchObject({
      total: 1 + 131_072 + 131_136,
      nonce: '0x0000000000000042',
    })
    expect(await readBlock(chain, 8)).toMatchObject({ total: 1 + 131_072 + 131_136 + 131_072 })
    expect(await balanceAt(chain, 'latest')).toBe(parseEther('6'))
    await chain.request('hardhat_mine', ['0x7'])
    expect((await readBlock(chain, 11)).difficulty).not.toBe(1)
    expect(await balanceAt(chain, 'latest')).toBe(parseEther('20'))
    await chain.request('hardhat_mine', ['0x3b9aca00'])
    expect(await balanceAt(chain, 'latest')).toBe(parseEther('26'))
    // The bomb at this number is far above 2^256, and then it is nothing.
    expect((await readBlock(chain, 'latest')).difficulty).toBe(131_072)
  })

  test('meet the bomb 200,000 blocks after its delay', async () => {
    const chain = await start('byzantium')
    await chain.request('hardhat_mine', [`0x${(3_400_000).toString(16)}`])
    await mineAt(chain, 3_400_001)
    // Two more than 131,072 + 64 and the parent's own: 2^((3,400,000 − 3,000,000) / 100,000 − 2) = 4.
    expect((await readBlock(chain, 3_400_000)).difficulty).toBe(131_072)
    expect((await readBlock(chain, 3_400_001)).difficulty).toBe(131_072 + 64 + 4)
  })

  test('pass with time one by one', async () => {
    const chain = await start('london', { production: 'interval', blockTimeMs: 9000 })
    await chain.advance(90_000)
    expect((await readBlock(chain, 10)).difficulty).toBe(131_072)
    expect(await balanceAt(chain, 'latest')).toBe(parseEther('20'))
  })

  test('survive a dump, with a block that has begun', async () => {
    const chain = await start('london', { production: 'interval' })
    await chain.advance(2000)
    await chain.mine(20)
    await chain.request('eth_sendTransaction', [{ from: ALICE, to: BOB, value: '0x1' }])
    await chain.advance(200)
    const copy = await start('london', { production: 'interval', state: await chain.dump() })
    for (const which of ['pending', 'latest', 5, 1, 0] as const)
      expect(await readBlock(copy, which)).toEqual(await readBlock(chain, which))
    await copy.mine(1)
    await chain.mine(1)
    expect(await readBlock(copy, 'latest')).toEqual(await readBlock(chain, 'latest'))
  })

  test('are imported where they would be built, unless they are reserved', async () => {
    const chain = await start('berlin')
    for (const seconds of [1, 20, 21]) await mineAt(chain, seconds)
    const copy = await start('berlin')
    await copy.importBlocks(await chain.exportBlocks())
    expect(await readBlock(copy, 'latest')).toEqual(await readBlock(chain, 'latest'))
    await chain.mine(8)
    await expect(chain.exportBlocks()).rejects.toMatchObject({ kind: 'notExportable' })
  })

  test('are built again by a reorganisation', async () => {
    const chain = await start('istanbul')
    for (const seconds of [1, 10, 11]) await mineAt(chain, seconds)
    const before = await readBlock(chain, 3)
    await chain.reorg({ depth: 2, blocks: [[], []] })
    expect(await readBlock(chain, 3)).toEqual(before)
  })

  test('have no difficulty in another flavor', async () => {
    const chain = await start('london', { flavor: 'anvil' })
    await mineAt(chain, 1)
    const { difficulty, nonce } = await readBlock(chain, 1)
    expect({ difficulty, nonce }).toEqual({ difficulty: 0, nonce: '0x0000000000000000' })
    expect(await balanceAt(chain, 'pending')).toBe(0n)
  })
})
