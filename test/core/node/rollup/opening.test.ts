import { createEmulator, type Emulator } from 'tickchain'
import { concat, getContractAddress, type Hex, hexToNumber, keccak256, pad, parseEther, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { attributesAt, blockAt, START_S, startRollup } from './scene.ts'

const BOB: Hex = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'
const CAROL: Hex = '0xcccccccccccccccccccccccccccccccccccccccc'
const DEPOSITOR = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'
const L1_BLOCK = '0x4200000000000000000000000000000000000015'
const DEPOSIT = '0x7e'

async function accountsOf(chain: Emulator): Promise<readonly Hex[]> {
  return chain.request('eth_accounts')
}

async function send(chain: Emulator, value = 1n): Promise<Hex> {
  const [from = BOB] = await accountsOf(chain)
  return (await chain.request('eth_sendTransaction', [{ from, to: BOB, value: toHex(value) }])) as Hex
}

async function balance(chain: Emulator, address: Hex, block: string): Promise<bigint> {
  return BigInt((await chain.request('eth_getBalance', [address, block])) as Hex)
}

function hashesOf({ transactions }: { readonly transactions: readonly { readonly hash: Hex }[] }): Hex[] {
  return transactions.map(({ hash }) => hash)
}

describe('every block opens with its L1 attributes', () => {
  test('in `pending` at once, and in the block when it is sealed', async () => {
    const chain = await startRollup()
    const pending = await blockAt(chain, 'pending')
    expect(pending.transactions).toMatchObject([
      {
        type: DEPOSIT,
        from: DEPOSITOR,
        to: L1_BLOCK,
        nonce: '0x0',
        gas: '0xf4240',
        mint: '0x0',
        value: '0x0',
      },
    ])
    await chain.advance(2000)
    const sealed = await blockAt(chain, 'latest')
    expect(hashesOf(sealed)).toEqual(hashesOf(pending))
    expect(sealed.hash).toBe(pending.hash)
  })

  test('the sequence number counts the blocks of an origin, of which there is one each 12 seconds', async () => {
    const chain = await startRollup({
      rollup: { stack: 'op', l1: { number: 7, baseFee: 5n, blobBaseFee: 3n } },
    })
    await chain.advance(2000 * 13)
    const read = []
    for (let number = 1; number <= 13; number++) {
      const { number: origin, sequenceNumber, timestamp } = await attributesAt(chain, toHex(number))
      read.push([origin, sequenceNumber, timestamp - START_S])
    }
    // Genesis is of L1 block 7, so block 1 is the second of its origin; the block at 12 s is the first of the next.
    expect(read).toEqual([
      ...[1, 2, 3, 4, 5].map((sequence) => [7, sequence, 0]),
      ...[0, 1, 2, 3, 4, 5].map((sequence) => [8, sequence, 12]),
      ...[0, 1].map((sequence) => [9, sequence, 24]),
    ])
    expect(await attributesAt(chain, 'latest')).toMatchObject({ baseFee: 5n, blobBaseFee: 3n })
  })

  test('no two of them are the same transaction', async () => {
    const chain = await startRollup()
    await chain.mine(20)
    const hashes = new Set<Hex>()
    for (let number = 1; number <= 20; number++) hashes.add(hashesOf(await blockAt(chain, toHex(number)))[0]!)
    expect(hashes.size).toBe(20)
  })

  test('the L1 block after a jump is as late as possible, so that no block is beyond the drift', async () => {
    const chain = await startRollup()
    await chain.jump(7 * 86_400_000 + 5000)
    const { number, timestamp } = await attributesAt(chain, 'latest')
    expect(number).toBe(1)
    // 604,805 s are 50,400 times 12 s and 5 s.
    expect(timestamp - START_S).toBe(604_800)
    const hash = await send(chain)
    await chain.advance(200)
    expect(hashesOf(await blockAt(chain, 'pending'))).toContain(hash)
  })
})

describe('the opening follows what it depends on', () => {
  const timestampOf = async (chain: Emulator) =>
    hexToNumber((await blockAt(chain, 'pending')).timestamp) - START_S

  test('the time of the block', async () => {
    const chain = await startRollup()
    await chain.setNextBlockTimestamp(START_S + 100)
    expect(await timestampOf(chain)).toBe(100)
    // A later block takes a later L1 block.
    expect(await attributesAt(chain, 'pending')).toMatchObject({ number: 1, sequenceNumber: 0 })
    const shifted = await startRollup()
    await shifted.increaseTime({ seconds: 60 })
    expect(await attributesAt(shifted, 'pending')).toMatchObject({ number: 1, sequenceNumber: 0 })
  })

  test('time that passes, where blocks are sealed on command', async () => {
    const chain = await startRollup({ production: 'manual' })
    expect(await timestampOf(chain)).toBe(1)
    await chain.advance(30_000)
    expect(await timestampOf(chain)).toBe(30)
    expect(await attributesAt(chain, 'pending')).toMatchObject({ number: 1, timestamp: START_S + 24 })
  })

  test('the coinbase and edits of the state', async () => {
    const chain = await startRollup()
    await chain.setCoinbase(BOB)
    expect(await blockAt(chain, 'pending')).toMatchObject({ miner: BOB })
    await chain.setBalance(BOB, 5n)
    await chain.setNonce(DEPOSITOR, 41n)
    expect(await balance(chain, BOB, 'pending')).toBe(5n)
    expect(await blockAt(chain, 'pending')).toMatchObject({ transactions: [{ nonce: toHex(41) }] })
    await chain.seal()
    expect(await chain.request('eth_getTransactionCount', [DEPOSITOR, 'latest'])).toBe(toHex(42))
  })

  test('an edit of a contract that its deposits have created', async () => {
    const chain = await startRollup()
    // Deploys one byte, STOP.
    const { hash } = await chain.deposit({ from: BOB, data: '0x60015ff3', gasLimit: 200_000 })
    const { contractAddress } = (await chain.request('eth_getTransactionReceipt', [hash])) as {
      contractAddress: Hex
    }
    await chain.setStorageAt(contractAddress, '0x1', '0x2a')
    const slot = () => chain.request('eth_getStorageAt', [contractAddress, '0x1', 'pending'])
    expect(BigInt((await slot()) as Hex)).toBe(42n)
    await chain.seal()
    expect(BigInt((await slot()) as Hex)).toBe(42n)
    expect(hashesOf(await blockAt(chain, '0x1'))[1]).toBe(hash)
  })

  test('a deposit to null creates a contract, as one without a recipient does', async () => {
    const chain = await startRollup()
    // Deploys one byte, STOP.
    const { hash } = await chain.deposit({ from: BOB, to: null, data: '0x60015ff3', gasLimit: 200_000 })
    await chain.seal()
    const contractAddress = getContractAddress({ from: BOB, nonce: 0n })
    expect(await chain.request('eth_getTransactionReceipt', [hash])).toMatchObject({
      ...{ status: '0x1', to: null, contractAddress: contractAddress.toLowerCase() },
    })
    expect(await chain.request('eth_getCode', [contractAddress, 'latest'])).toBe('0x00')
  })

  test('a revert, a clone, a reset', async () => {
    const chain = await startRollup()
    await chain.advance(4000)
    const before = await blockAt(chain, 'pending')
    const snapshot = chain.snapshot()
    await chain.deposit({ from: BOB, to: BOB, mint: 1n })
    await chain.advance(30_000)
    const copy = chain.clone()
    expect(await blockAt(copy, 'pending')).toEqual(await blockAt(chain, 'pending'))
    await chain.revert(snapshot)
    expect(await blockAt(chain, 'pending')).toEqual(before)
    await chain.reset()
    expect(await attributesAt(chain, 'pending')).toMatchObject({ number: 0, sequenceNumber: 1 })
  })

  test('a dump', { tags: 'gate' }, async () => {
    const chain = await startRollup()
    await chain.advance(30_000)
    const { hash } = await chain.deposit({ from: BOB, to: BOB, mint: 1n })
    const loaded = await startRollup({ state: await chain.dump() })
    expect(await blockAt(loaded, 'pending')).toEqual(await blockAt(chain, 'pending'))
    for (const each of [chain, loaded]) await each.advance(40_000)
    expect(await blockAt(loaded, 'latest')).toEqual(await blockAt(chain, 'latest'))
    expect(await loaded.request('eth_getTransactionReceipt', [hash])).toEqual(
      await chain.request('eth_getTransactionReceipt', [hash]),
    )
    expect(await loaded.dump()).toEqual(await chain.dump())
  })

  test('a dump of another kind of chain is refused', { tags: 'gate' }, async () => {
    const plain = await createEmulator({ hardfork: 'prague' })
    const chain = await startRollup({ rollup: { stack: 'op', fork: 'isthmus' } })
    await expect(chain.load(await plain.dump())).rejects.toMatchObject({ kind: 'undecodableState' })
    await expect(plain.load(await chain.dump())).rejects.toMatchObject({ kind: 'undecodableState' })
  })
})

describe('a deposit', () => {
  test('opens the block being built, after the L1 attributes of a new origin', async () => {
    const chain = await startRollup()
    await chain.advance(600)
    const { hash } = await chain.deposit({ from: BOB, to: CAROL, mint: 10n, value: 3n })
    expect(await attributesAt(chain, 'pending')).toMatchObject({
      number: 1,
      sequenceNumber: 0,
      timestamp: START_S + 2,
    })
    expect(hashesOf(await blockAt(chain, 'pending'))[1]).toBe(hash)
    expect(await balance(chain, BOB, 'pending')).toBe(7n)
    expect(await balance(chain, BOB, 'latest')).toBe(0n)
    expect(await chain.request('eth_getTransactionByHash', [hash])).toMatchObject({
      ...{ hash, type: DEPOSIT, from: BOB, to: CAROL, mint: '0xa', value: '0x3', transactionIndex: '0x1' },
    })
    expect(await chain.request('eth_getTransactionReceipt', [hash])).toMatchObject({
      status: '0x1',
      type: DEPOSIT,
    })
    await chain.advance(1400)
    expect(await balance(chain, BOB, 'latest')).toBe(7n)
    expect(await attributesAt(chain, 'pending')).toMatchObject({ number: 1, sequenceNumber: 1 })
  })

  test('joins others of the same L1 block, in order, and each appears once', async () => {
    const chain = await startRollup()
    const hashes: Hex[] = []
    for (const mint of [1n, 2n, 3n]) hashes.push((await chain.deposit({ from: BOB, to: BOB, mint })).hash)
    expect(new Set(hashes).size).toBe(3)
    await chain.advance(8000)
    expect(hashesOf(await blockAt(chain, '0x1')).slice(1)).toEqual(hashes)
    expect((await blockAt(chain, '0x2')).transactions).toHaveLength(1)
    expect(await balance(chain, BOB, 'latest')).toBe(6n)
  })

  test('opens the next block if the pool has come first', async () => {
    const chain = await startRollup()
    const sent = await send(chain)
    await chain.advance(200)
    const { hash } = await chain.deposit({ from: BOB, to: BOB, mint: 9n })
    expect(await balance(chain, BOB, 'pending')).toBe(1n)
    expect(await chain.request('eth_getTransactionByHash', [hash])).toBeNull()
    await chain.advance(1800)
    expect(hashesOf(await blockAt(chain, '0x1'))).toEqual([expect.anything(), sent])
    expect(hashesOf(await blockAt(chain, 'pending'))[1]).toBe(hash)
    await chain.advance(2000)
    expect(await balance(chain, BOB, 'latest')).toBe(10n)
  })

  test('is sealed at once in `auto` production', async () => {
    const chain = await startRollup({ production: 'auto' })
    const { hash } = await chain.deposit({ from: BOB, to: BOB, mint: 9n })
    expect(hashesOf(await blockAt(chain, '0x1'))[1]).toBe(hash)
    expect(await balance(chain, BOB, 'latest')).toBe(9n)
    const sent = await send(chain)
    expect(hashesOf(await blockAt(chain, '0x2'))).toEqual([expect.anything(), sent])
  })

  test('that fails is included, keeps its mint, and takes all its gas', async () => {
    const chain = await startRollup()
    const invalid: Hex = '0xcccccccccccccccccccccccccccccccccccccccc'
    await chain.setCode(invalid, '0xfe')
    const { hash } = await chain.deposit({ from: BOB, to: invalid, mint: 9n, value: 4n, gasLimit: 70_000 })
    await chain.seal()
    expect(await chain.request('eth_getTransactionReceipt', [hash])).toMatchObject({
      ...{ status: '0x0', gasUsed: toHex(70_000), depositNonce: '0x0' },
    })
    expect(await balance(chain, BOB, 'latest')).toBe(9n)
    expect(await chain.request('eth_getTransactionCount', [BOB, 'latest'])).toBe('0x1')
  })

  test('counts in the gas budget of partial blocks', async () => {
    // 21 million: 2.1 million may be used in the first of ten partial blocks.
    const chain = await startRollup({ genesis: { gasLimit: 21_000_000 } })
    const spender: Hex = '0xcccccccccccccccccccccccccccccccccccccccc'
    await chain.setCode(spender, '0x5b600056') // an endless loop
    await chain.deposit({ from: BOB, to: spender, gasLimit: 2_090_000 })
    const hash = await send(chain)
    await chain.advance(200)
    // The attributes have used 22,000 gas or more, the deposit 2,090,000.
    expect(hashesOf(await blockAt(chain, 'pending'))).not.toContain(hash)
    await chain.advance(200)
    expect(hashesOf(await blockAt(chain, 'pending'))).toContain(hash)
  })

  test('is executed whatever the gas limit of the block', async () => {
    const chain = await startRollup()
    await chain.setBlockGasLimit(50_000n)
    await chain.deposit({ from: BOB, to: BOB, mint: 9n, gasLimit: 100_000 })
    await chain.seal()
    expect(await balance(chain, BOB, 'latest')).toBe(9n)
  })
})

describe('blocks that take nothing from the pool', () => {
  test('beyond the sequencer drift', async () => {
    // The next L1 block comes after an hour, and blocks may be 4 s ahead of theirs.
    const rollup = { stack: 'op', maxSequencerDriftS: 4, l1: { blockTimeS: 3600 } } as const
    const chain = await startRollup({ rollup })
    const first = await send(chain)
    await chain.advance(4000)
    expect(hashesOf(await blockAt(chain, '0x1'))).toContain(first)
    const second = await send(chain)
    await chain.advance(4000)
    expect((await blockAt(chain, '0x3')).transactions).toHaveLength(1)
    expect(await chain.request('txpool_status')).toMatchObject({ pending: '0x1' })
    // A deposit brings a new origin, at the time of the block.
    await chain.deposit({ from: BOB, to: BOB })
    await chain.advance(2000)
    expect(hashesOf(await blockAt(chain, '0x5')).slice(2)).toEqual([second])
  })

  test('1800 seconds are the most since fjord, and 600 before', async () => {
    const counts = []
    for (const [fork, seconds] of [
      ['fjord', 1800],
      ['fjord', 1802],
      ['ecotone', 600],
      ['ecotone', 602],
    ] as const) {
      const rollup = { stack: 'op', fork, l1: { blockTimeS: 3600 } } as const
      const chain = await startRollup({ rollup })
      await send(chain)
      await chain.jump(seconds * 1000)
      counts.push((await blockAt(chain, 'latest')).transactions.length)
    }
    expect(counts).toEqual([2, 1, 2, 1])
  })

  test('the first of a fork that changes the contracts', async () => {
    const at = (seconds: number) => START_S + seconds
    const fork = {
      ...{ regolith: 0, canyon: 0, ecotone: at(2), fjord: at(4), granite: at(6), holocene: at(8) },
      ...{ isthmus: at(10), jovian: at(12) },
    }
    const chain = await startRollup({ rollup: { stack: 'op', fork } })
    const counts = []
    for (let number = 1; number <= 7; number++) {
      const hash = await send(chain)
      await chain.advance(2000)
      counts.push(hashesOf(await blockAt(chain, toHex(number))).includes(hash))
    }
    // Granite and holocene change no contract (op-node, Sequencer).
    expect(counts).toEqual([false, false, true, true, false, false, true])
  })
})

describe('forks that activate', () => {
  test('the first block of ecotone, isthmus and jovian says its attributes in the form before', async () => {
    const fork = {
      ...{ regolith: 0, canyon: 0, ecotone: START_S + 4, fjord: START_S + 4, granite: START_S + 4 },
      ...{ holocene: START_S + 4, isthmus: START_S + 8, jovian: START_S + 12 },
    }
    const chain = await startRollup({ rollup: { stack: 'op', fork } })
    await chain.advance(14_000)
    const selectors = []
    for (let number = 1; number <= 7; number++) {
      selectors.push((await blockAt(chain, toHex(number))).transactions[0]?.input.slice(0, 10))
    }
    const [bedrock, ecotone, isthmus, jovian] = ['0x015d8eb9', '0x440a5e20', '0x098999be', '0x3db6be2b']
    expect(selectors).toEqual([bedrock, bedrock, ecotone, ecotone, isthmus, isthmus, jovian])
  })

  test('with automine, a transaction comes in the block after the one that brings a fork', async () => {
    const fork = {
      ...{ regolith: 0, canyon: 0, ecotone: 0, fjord: 0, granite: 0, holocene: 0, isthmus: 0 },
      jovian: START_S + 1,
    }
    const chain = await startRollup({ rollup: { stack: 'op', fork }, production: 'auto' })
    const sent = await send(chain)
    expect(hashesOf(await blockAt(chain, '0x1'))).not.toContain(sent)
    expect(hashesOf(await blockAt(chain, '0x2'))).toContain(sent)
    expect(await chain.request('eth_blockNumber')).toBe('0x2')
  })

  test('before regolith the attributes are a system transaction, which takes no gas of the block', async () => {
    const chain = await startRollup({ rollup: { stack: 'op', fork: 'bedrock' } })
    await chain.seal()
    const { gasUsed, transactions } = await blockAt(chain, 'latest')
    expect(gasUsed).toBe('0x0')
    expect(transactions).toMatchObject([{ isSystemTx: true, gas: toHex(150_000_000) }])
  })

  test('extraData holds the base fee parameters of holocene, and the least base fee of jovian', async () => {
    const fork = {
      ...{ regolith: 0, canyon: 0, ecotone: 0, fjord: 0, granite: 0 },
      ...{ holocene: START_S + 4, isthmus: START_S + 4, jovian: START_S + 6 },
    }
    const rollup = { stack: 'op', fork, systemConfig: { minBaseFee: 257 } } as const
    const chain = await startRollup({ rollup })
    await chain.advance(6000)
    const data = []
    for (const number of ['0x1', '0x2', '0x3'] as const) data.push((await blockAt(chain, number)).extraData)
    // Denominator 250 = 0xfa, elasticity 6, least base fee 257 = 0x101.
    expect(data).toEqual(['0x', '0x00000000fa00000006', '0x01000000fa000000060000000000000101'])
  })
})

describe('the system configuration', () => {
  test('changes gas limit, extraData and L1 fees with the next L1 block', async () => {
    const chain = await startRollup()
    await chain.setSystemConfig({
      gasLimit: 30_000_000,
      eip1559: { denominator: 8, elasticity: 8 },
      minBaseFee: 257,
    })
    const pending = await blockAt(chain, 'pending')
    expect(pending).toMatchObject({
      gasLimit: toHex(30_000_000),
      extraData: '0x0100000008000000080000000000000101',
    })
    expect(await attributesAt(chain, 'pending')).toMatchObject({ number: 1, sequenceNumber: 0 })
    await chain.advance(4000)
    expect(await blockAt(chain, 'latest')).toMatchObject({ gasLimit: toHex(30_000_000) })
    expect(await attributesAt(chain, 'latest')).toMatchObject({ number: 1, sequenceNumber: 1 })
  })

  test('waits for the next block if this one has begun', async () => {
    const chain = await startRollup()
    await send(chain)
    await chain.advance(200)
    await chain.setSystemConfig({ gasLimit: 30_000_000 })
    expect(await blockAt(chain, 'pending')).toMatchObject({ gasLimit: toHex(60_000_000) })
    await chain.advance(1800)
    expect(await blockAt(chain, 'pending')).toMatchObject({ gasLimit: toHex(30_000_000) })
  })

  test('gives way to a gas limit that a test sets, until it is set itself', async () => {
    const chain = await startRollup()
    await chain.setBlockGasLimit(25_000_000n)
    await chain.setSystemConfig({ minBaseFee: 1 })
    expect(await blockAt(chain, 'pending')).toMatchObject({ gasLimit: toHex(25_000_000) })
    await chain.setSystemConfig({ gasLimit: 40_000_000 })
    expect(await blockAt(chain, 'pending')).toMatchObject({ gasLimit: toHex(40_000_000) })
  })

  test('sets the base fee parameters that the next block follows', async () => {
    const rollup = { stack: 'op', eip1559: { denominator: 8, elasticity: 2 } } as const
    const chain = await startRollup({ rollup, genesis: { baseFeePerGas: 8_000_000 } })
    await chain.seal()
    // Genesis used no gas: the base fee falls by an eighth.
    expect((await blockAt(chain, 'latest')).baseFeePerGas).toBe(toHex(7_000_000))
    await chain.setSystemConfig({ minBaseFee: 6_500_000 })
    await chain.seal()
    await chain.seal()
    expect((await blockAt(chain, 'latest')).baseFeePerGas).toBe(toHex(6_500_000))
  })
})

describe('with the other commands', () => {
  test('a reorganisation includes the deposits of imported blocks again', async () => {
    const fork = {
      ...{ regolith: 0, canyon: 0, ecotone: 0, fjord: 0, granite: 0, holocene: 0, isthmus: 0 },
      jovian: START_S + 2,
    }
    const rollup = { stack: 'op', fork } as const
    const to = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'
    const chain = await startRollup({ rollup })
    const first = await chain.deposit({ from: to, to, mint: 5n })
    await chain.advance(2000)
    const second = await chain.deposit({ from: to, to, mint: 3n })
    await chain.advance(2000)

    const importing = await startRollup({ rollup })
    await importing.importBlocks(await chain.exportBlocks())
    await importing.reorg({ depth: 2 })
    expect(await importing.request('eth_getBalance', [to, 'latest'])).toBe('0x8')
    // The L1 attributes, the user's deposit and the five transactions of jovian.
    const { transactions } = await blockAt(importing, '0x1')
    expect(transactions.map(({ hash }) => hash).indexOf(first.hash)).toBe(1)
    expect(transactions).toHaveLength(7)
    expect((await blockAt(importing, '0x2')).transactions.map(({ hash }) => hash).indexOf(second.hash)).toBe(
      1,
    )
  })

  test('a deposit that waits while blocks are imported comes later, with a source hash of its own', async () => {
    const [chain, other] = [await startRollup(), await startRollup()]
    const to = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'
    // Both are the first deposit of L1 block 1.
    await chain.deposit({ from: to, to, mint: 5n })
    await other.deposit({ from: to, to, mint: 3n })
    await other.seal()
    await chain.importBlocks(await other.exportBlocks())
    await chain.deposit({ from: to, to, mint: 7n })
    await chain.seal()
    expect(await chain.request('eth_getBalance', [to, 'latest'])).toBe('0xf')
    const deposits = [await blockAt(chain, '0x1'), await blockAt(chain, '0x2')].flatMap(({ transactions }) =>
      transactions.slice(1),
    )
    expect(deposits).toHaveLength(3)
    // Domain 0, the hash of the L1 block and the position of the log (specification, deposits).
    const sourceHashOf = (l1Hash: Hex, position: number) => {
      const depositId = keccak256(concat([l1Hash, pad(toHex(position), { size: 32 })]))
      return keccak256(concat([pad('0x00', { size: 32 }), depositId]))
    }
    const [first, second] = [await attributesAt(chain, '0x1'), await attributesAt(chain, '0x2')]
    expect(deposits.map(({ sourceHash }) => sourceHash)).toEqual([
      sourceHashOf(first.hash, 0),
      sourceHashOf(second.hash, 0),
      sourceHashOf(second.hash, 1),
    ])
  })

  test('a deposit that is in an imported block waits no longer', async () => {
    const [chain, other] = [await startRollup(), await startRollup()]
    const to = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'
    const { hash } = await chain.deposit({ from: to, to, mint: 5n })
    expect(await other.deposit({ from: to, to, mint: 5n })).toEqual({ hash })
    await other.seal()
    await chain.importBlocks(await other.exportBlocks())
    await chain.seal()
    expect(await chain.request('eth_getBalance', [to, 'latest'])).toBe('0x5')
    expect(await chain.request('eth_getTransactionReceipt', [hash])).toMatchObject({ blockNumber: '0x1' })
  })

  test('dumps are of a rollup or of none', { tags: 'gate' }, async () => {
    const [rollup, plain] = [await startRollup(), await createEmulator()]
    for (const chain of [rollup, plain]) await chain.advance(2000)
    const dumps = { rollup: await rollup.dump(), plain: await plain.dump() }
    await expect(plain.load(dumps.rollup)).rejects.toThrow('tickchain.rollup: expected none')
    await expect(rollup.load(dumps.plain)).rejects.toThrow('tickchain.rollup: expected a rollup')
  })

  test('a reorganisation brings the deposits of its L1 blocks again, and none to the pool', async () => {
    const chain = await startRollup()
    const { hash } = await chain.deposit({ from: BOB, to: BOB, mint: 9n })
    const sent = await send(chain)
    await chain.advance(4000)
    const before = await blockAt(chain, '0x1')
    expect(hashesOf(before)).toEqual([expect.anything(), hash, sent])
    const gone: string[] = []
    chain.on('unincludedTransaction', ({ transactionHash }) => gone.push(transactionHash))
    await chain.reorg({ depth: 2 })
    expect(hashesOf(await blockAt(chain, '0x1'))).toEqual(hashesOf(before).slice(0, 2))
    expect(await chain.request('txpool_status')).toMatchObject({ pending: '0x1', queued: '0x0' })
    expect(gone).toContain(sent)
    await chain.advance(2000)
    expect(await balance(chain, BOB, 'latest')).toBe(10n)
  })

  test('a rollback to before a deposit opens the next block with it', async () => {
    const chain = await startRollup()
    const { hash } = await chain.deposit({ from: BOB, to: BOB, mint: 9n })
    await chain.advance(6000)
    await chain.rollback(3)
    expect(hashesOf(await blockAt(chain, 'pending'))).toContain(hash)
    await chain.seal()
    expect(await balance(chain, BOB, 'latest')).toBe(9n)
  })

  test('replacement blocks keep pre-confirmed transactions behind their own opening', async () => {
    const chain = await startRollup()
    await chain.advance(2000)
    const sent = await send(chain)
    await chain.advance(200)
    await chain.reorg({ depth: 1 })
    expect(hashesOf(await blockAt(chain, 'pending'))).toEqual([expect.anything(), sent])
    expect((await blockAt(chain, 'pending')).transactions[0]?.type).toBe(DEPOSIT)
  })

  test('replacement blocks given by the hashes of the old leave out the deposits among them', async () => {
    const chain = await startRollup()
    await chain.deposit({ from: BOB, to: BOB, mint: 9n })
    const sent = await send(chain)
    await chain.advance(2000)
    await chain.advance(2000)
    const [one, two] = [await blockAt(chain, '0x1'), await blockAt(chain, '0x2')]
    expect(hashesOf(one)).toHaveLength(3)
    await chain.reorg({ depth: 2, blocks: [hashesOf(two), hashesOf(one)] })
    const [first, second] = [await blockAt(chain, '0x1'), await blockAt(chain, '0x2')]
    expect(first.transactions.map(({ type }) => type)).toEqual([DEPOSIT, DEPOSIT])
    expect(second.transactions.map(({ type }) => type)).toEqual([DEPOSIT, '0x2'])
    expect(hashesOf(second)[1]).toBe(sent)
    // The mint once, and a wei.
    expect(await balance(chain, BOB, 'latest')).toBe(10n)
  })

  test('dropped pre-confirmations leave the deposits, which cannot be dropped', async () => {
    const chain = await startRollup()
    const { hash } = await chain.deposit({ from: BOB, to: BOB, mint: 9n })
    const sent = await send(chain)
    await chain.advance(200)
    await expect(chain.dropPreconfirmed(hash)).rejects.toMatchObject({ kind: 'depositForced' })
    await chain.dropPreconfirmed(sent)
    expect(hashesOf(await blockAt(chain, 'pending'))).toEqual([expect.anything(), hash])
    await send(chain)
    await chain.advance(200)
    await chain.clearPool()
    expect(hashesOf(await blockAt(chain, 'pending'))).toEqual([expect.anything(), hash])
    await chain.seal()
    expect(await balance(chain, BOB, 'latest')).toBe(9n)
  })

  test('a chain is imported with its deposits', async () => {
    const chain = await startRollup()
    await chain.deposit({ from: BOB, to: BOB, mint: 9n })
    await chain.advance(30_000)
    const copy = await startRollup()
    await copy.importBlocks(await chain.exportBlocks())
    expect(await blockAt(copy, 'latest')).toEqual(await blockAt(chain, 'latest'))
    await copy.advance(12_000)
    // L1 blocks go on from the imported ones: 1 at 2 s with the deposit, then 14 s, 26 s.
    expect(await attributesAt(copy, toHex(15))).toMatchObject({ number: 3 })
    expect((await attributesAt(copy, 'latest')).number).toBeGreaterThan(3)
  })

  test('mined blocks, empty or not, have their attributes', async () => {
    const chain = await startRollup()
    await chain.mine(3, { intervalSeconds: 60 })
    for (const number of ['0x1', '0x2', '0x3'] as const) {
      expect((await blockAt(chain, number)).transactions).toHaveLength(1)
    }
    expect(await attributesAt(chain, 'latest')).toMatchObject({ number: 3, sequenceNumber: 0 })
  })

  test('extra data cannot be set since holocene', async () => {
    const chain = await startRollup()
    await expect(chain.setExtraData('0x01')).rejects.toMatchObject({ kind: 'extraDataDecided' })
    const older = await startRollup({ rollup: { stack: 'op', fork: 'granite' } })
    await older.setExtraData('0x01')
    expect((await blockAt(older, 'pending')).extraData).toBe('0x01')
  })

  test('the same calls make the same chain', { tags: 'gate' }, async () => {
    const run = async () => {
      const chain = await startRollup({ seed: 'again' })
      await chain.deposit({ from: BOB, to: BOB, mint: parseEther('1') })
      await send(chain)
      await chain.advance(31_000)
      return chain.dump()
    }
    expect(await run()).toEqual(await run())
  })
})

describe('events', () => {
  test('partial block 0 has the deposits, before the others and again if they change', async () => {
    const chain = await startRollup()
    const told: unknown[] = []
    chain.on('partialBlock', ({ blockNumber, index, transactionHashes }) => {
      if (transactionHashes.length > 0) told.push([blockNumber, index, transactionHashes.length])
    })
    chain.on('sealedBlock', ({ number }) => told.push([number, 'sealed']))
    await chain.advance(400)
    await chain.deposit({ from: BOB, to: BOB })
    await send(chain)
    await chain.advance(2000)
    expect(told).toEqual([
      [1, 0, 1],
      [1, 0, 2],
      [1, 3, 1],
      [1, 'sealed'],
      [2, 0, 1],
    ])
  })

  test('the raw stream has them in payload 0', async () => {
    const chain = await startRollup()
    await chain.advance(2000)
    const payloads: { readonly index: number; readonly transactions: number; readonly isBase: boolean }[] = []
    chain.on('flashblock', ({ index, diff, base }) =>
      payloads.push({ index, transactions: diff.transactions.length, isBase: base !== undefined }),
    )
    await chain.advance(2000)
    await send(chain)
    await chain.advance(400)
    const [first] = payloads.filter(({ isBase }) => isBase)
    expect(first).toEqual({ index: 0, transactions: 1, isBase: true })
    expect(payloads.slice(-2)).toEqual([
      { index: 1, transactions: 1, isBase: false },
      { index: 2, transactions: 0, isBase: false },
    ])
  })

  test('subscriptions of pre-confirmed transactions and logs tell them', async () => {
    const chain = await startRollup()
    // Emits a log without topics.
    await chain.setCode(BOB, '0x5f5fa0')
    const messages: { readonly subscription: string; readonly result: unknown }[] = []
    chain.on('message', ({ data }) => messages.push(data as never))
    const transactions = await chain.request('eth_subscribe', ['newFlashblockTransactions'])
    const logs = await chain.request('eth_subscribe', ['pendingLogs', { address: BOB }])
    const { hash } = await chain.deposit({ from: L1_BLOCK, to: BOB })
    await chain.advance(200)
    const told = (id: unknown) =>
      messages.filter(({ subscription }) => subscription === id).map(({ result }) => result)
    expect(told(transactions)).toEqual([hashesOf(await blockAt(chain, 'pending'))[0], hash])
    expect(told(logs)).toMatchObject([{ address: BOB, transactionHash: hash, transactionIndex: '0x1' }])
  })
})
