// Debug methods over the state. Expected values are those of geth's own tests where it has some.
import { type Hex, keccak256, numberToHex, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { referenceParameters } from '../../../standards/reference-parameters.ts'
import { executeStateless, type Witness } from '../../../standards/stateless.ts'
import { ALICE, alice, BOB, bob, type Scene, startScene, transfer, transferFees } from '../scene.ts'

const FEE_VAULT = '0x4200000000000000000000000000000000000011'
const BEACON_ROOTS = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'
const HISTORY = '0x0000f90827f1c53a10cb7a02335b175320002935'
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
const NO_CODE = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'

/** Adds one to slot 0: PUSH1 1, PUSH1 0, SLOAD, ADD, PUSH1 0, SSTORE, STOP. */
const COUNTER = '0x00000000000000000000000000000000000000c0'
const COUNTER_CODE = '0x60016000540160005500'
/** Sets slot 0 to its call data: PUSH1 0, CALLDATALOAD, PUSH1 0, SSTORE, STOP. */
const HOLDER = '0x00000000000000000000000000000000000000d0'
const HOLDER_CODE = '0x60003560005500'

const contracts = {
  [COUNTER]: { code: COUNTER_CODE },
  [HOLDER]: { code: HOLDER_CODE, storage: { '0x0': '0x05' } },
} as const

const call = (to: Hex, nonce: number, data: Hex = '0x') =>
  ({ ...transferFees, gas: 100_000n, to, nonce, data }) as const

const sorted = (addresses: readonly Hex[]): Hex[] =>
  [...addresses].sort((a, b) => (keccak256(a) < keccak256(b) ? -1 : 1))

interface Dump {
  readonly root: string
  readonly accounts: Record<Hex, { balance: string; code?: Hex; storage?: Record<Hex, string>; address: Hex }>
  readonly next?: string
}

describe('listings of accounts', () => {
  const gethAlloc = {
    '0x0000000000000000000000000000000000000001': { balance: 22 },
    '0x0000000000000000000000000000000000000102': { code: '0x03030303030303' },
    '0x0000000000000000000000000000000000000002': { balance: 44 },
  } as const
  const start = (alloc: object) => startScene({ genesis: { config: { chainId: 1 }, alloc: alloc as never } })
  const plain = (address: Hex, balance: string, key: Hex) => ({
    ...{ balance, nonce: 0, root: EMPTY_ROOT, codeHash: NO_CODE, address, key },
  })

  test('debug_dumpBlock: geth, core/state/state_test.go, TestDump', async () => {
    const { ask } = await start(gethAlloc)
    expect(await ask('debug_dumpBlock', 'latest')).toEqual({
      root: '71edff0130dd2385947095001c73d9e28d862fc286fca2b922ca6f6f3cddfdd2',
      accounts: {
        '0x0000000000000000000000000000000000000001': plain(
          '0x0000000000000000000000000000000000000001',
          '22',
          '0x1468288056310c82aa4c01a7e12a10f8111a0560e72b700555479031b86c357d',
        ),
        '0x0000000000000000000000000000000000000002': plain(
          '0x0000000000000000000000000000000000000002',
          '44',
          '0xd52688a8f926c816ca1e079067caba944f158e764817b83fc43594370ca9cf62',
        ),
        '0x0000000000000000000000000000000000000102': {
          balance: '0',
          nonce: 0,
          root: EMPTY_ROOT,
          codeHash: '0x87874902497a5bb968da31a2998d8f22e949d1ef6214bcdedd8bae24cca4b9e3',
          code: '0x03030303030303',
          address: '0x0000000000000000000000000000000000000102',
          key: '0xa17eacbc25cda025e81db9c5c62868822c73ce097cee2a63e33a2e41268358a1',
        },
      },
    })
  })

  test('debug_accountRange: pages in the order of TestIterativeDump', async () => {
    const { ask } = await start({ ...gethAlloc, [`0x${'00'.repeat(20)}`]: { balance: 1337 } })
    const range = (...params: unknown[]): Promise<Dump> => ask('debug_accountRange', 'latest', ...params)
    const shown = ({ accounts }: Dump) => Object.values(accounts).map(({ address }) => Number(address))
    const first = await range('0x', 2)
    expect(first.root).toBe('d5710ea8166b7b04bc2bfb129d7db12931cee82f75ca8e2d075b4884322bf3de')
    expect(shown(first)).toEqual([1, 0])
    // The hash of address 0x102, as Go writes bytes.
    const next = Buffer.from('a17eacbc25cda025e81db9c5c62868822c73ce097cee2a63e33a2e41268358a1', 'hex')
    expect(first.next).toBe(next.toString('base64'))
    const second = await range(first.next, 2)
    expect(shown(second)).toEqual([0x102, 2])
    expect(second).not.toHaveProperty('next')
    expect(await range('0xa17e', 256)).toEqual(second)
    expect(shown(await range('0x', 0))).toEqual([1, 0, 0x102, 2])
    expect(Object.values((await range('0xa17e', 1, true)).accounts)[0]).not.toHaveProperty('code')
    expect(shown(await range('0xff', 2))).toEqual([])
  })

  test('debug_accountRange: at most 256, by checksummed address, with slots', async () => {
    const many = Array.from({ length: 300 }, (_, i) => [numberToHex(i + 1, { size: 20 }), { balance: 1 }])
    const { ask } = await start({
      ...Object.fromEntries(many),
      [ALICE]: { nonce: 1, storage: { '0x1': '0x0a0b' } },
    })
    const pages: Dump[] = [await ask('debug_accountRange', 'latest', '0x', 1000)]
    pages.push(await ask('debug_accountRange', 'latest', pages[0]?.next))
    expect(pages.map(({ accounts }) => Object.keys(accounts).length)).toEqual([256, 45])
    const accounts = Object.assign({}, ...pages.map((page) => page.accounts))
    expect(accounts[alice.address]).toMatchObject({ storage: { [pad('0x1')]: '0a0b' }, nonce: 1 })
    const without = await ask<Dump>('debug_accountRange', 'latest', keccak256(ALICE), 1, false, true, true)
    expect(without.accounts[alice.address]).not.toHaveProperty('storage')
  })

  test('at pending, and at old blocks', async () => {
    const { ask, chain, send } = await startScene()
    const balanceOf = async (block: Hex | string) => {
      const { accounts } = await ask<Dump>('debug_accountRange', block, keccak256(BOB), 1)
      return BigInt(accounts[bob.address]?.balance ?? 0)
    }
    await send(alice, transfer(BOB, 0))
    await chain.advance(200)
    const before = 10n ** 22n
    expect([await balanceOf('latest'), await balanceOf('pending')]).toEqual([before, before + 1n])
    await chain.mine(300)
    expect([await balanceOf('0x0'), await balanceOf('0x1')]).toEqual([before, before + 1n])
    const { stateRoot } = await ask<{ stateRoot: Hex }>('eth_getBlockByNumber', '0x1', false)
    expect(`0x${(await ask<Dump>('debug_dumpBlock', '0x1')).root}`).toBe(stateRoot)
    await expect(ask('debug_dumpBlock', '0x7777')).rejects.toMatchObject({ kind: 'blockNotFound' })
    await expect(ask('debug_accountRange', 'latest', 'a?==')).rejects.toMatchObject({ code: -32602 })
  })
})

describe('debug_storageRangeAt', () => {
  const hashes: Hex[] = [
    '0x340dd630ad21bf010b4e676dbfa9ba9a02175262d1fa356232cfde6cb5b47ef2',
    '0x426fcb404ab2d5d8e61a3d918108006bbb0a9be65e92235bb10eefbdb6dcd053',
    '0x48078cfed56339ea54962e72c37c7f588fc4f8e5bc173827ba75cb10a63a96a5',
    '0x5723d2c3a83af9b735e3b7f21531e5623d183a9095a56604ead41f3582fdfb75',
  ]
  const first = (byte: number): Hex => pad(numberToHex(byte, { size: 1 }), { dir: 'right' })
  const entries = [2, 4, 1, 3].map((key, index) => ({ key: first(key), value: first(index + 1) }))
  const upTo = (from: number, to: number) =>
    Object.fromEntries(hashes.slice(from, to).map((hash, index) => [hash, entries[from + index]]))

  // geth, eth/api_debug_test.go, TestStorageRangeAt
  test.each([
    ['0x', 0, {}, hashes[0]],
    ['0x', 100, upTo(0, 4), null],
    ['0x', 2, upTo(0, 2), hashes[2]],
    ['0x00', 4, upTo(0, 4), null],
    ['0x40', 2, upTo(1, 3), hashes[3]],
  ])('from %s, at most %i slots', async (start, most, storage, nextKey) => {
    const account: Hex = `0x01${'00'.repeat(19)}`
    const slots = Object.fromEntries(entries.map(({ key, value }) => [key, value]))
    const { ask, chain } = await startScene({
      genesis: { alloc: { [account]: { nonce: 1, storage: slots } } },
    })
    await chain.seal()
    const range = await ask('debug_storageRangeAt', 'latest', 0, account, start, most)
    expect(range).toEqual({ storage, nextKey })
  })

  async function counted(options = {}): Promise<Scene> {
    const scene = await startScene({ genesis: { alloc: contracts }, ...options })
    for (let nonce = 0; nonce < 3; nonce++) await scene.send(alice, call(COUNTER, nonce))
    return scene
  }

  /** The slot of the counter before a transaction. */
  async function countAt({ ask }: Scene, block: Hex | string, index: number): Promise<number> {
    const { storage } = await ask<{ storage: Record<Hex, { value: Hex }> }>(
      ...(['debug_storageRangeAt', block, index, COUNTER, '0x', 1] as const),
    )
    return Number(Object.values(storage)[0]?.value ?? 0)
  }

  test('shows the state before a transaction, pre-confirmed and sealed', async () => {
    const scene = await counted()
    await scene.chain.advance(200)
    const counts = async (block: Hex | string) => [
      await countAt(scene, block, 0),
      await countAt(scene, block, 1),
      await countAt(scene, block, 2),
    ]
    expect(await counts('pending')).toEqual([0, 1, 2])
    await scene.chain.seal()
    const { hash } = await scene.ask<{ hash: Hex }>('eth_getBlockByNumber', 'latest', false)
    expect(await counts(hash)).toEqual([0, 1, 2])
    await expect(countAt(scene, hash, 3)).rejects.toMatchObject({
      code: -32000,
      message: `transaction index 3 out of range for block ${hash}`,
    })
    await scene.chain.mine(300)
    expect(await counts('0x1')).toEqual([0, 1, 2])
  })

  test('refuses genesis, unknown blocks, and states that are not kept', async () => {
    const scene = await counted({ stateHistory: 3 })
    await scene.chain.seal()
    await expect(countAt(scene, '0x0', 0)).rejects.toMatchObject({ message: 'no transaction in genesis' })
    await expect(countAt(scene, pad('0x1'), 0)).rejects.toMatchObject({ kind: 'blockNotFound' })
    await scene.chain.mine(5)
    await expect(countAt(scene, '0x1', 0)).rejects.toMatchObject({ kind: 'stateNotAvailable' })
  })
})

describe('debug_getModifiedAccounts', () => {
  test('names accounts whose fields differ, in the order of their hashes', async () => {
    const { ask, chain, send } = await startScene({ genesis: { alloc: contracts } })
    const byNumber = (...blocks: unknown[]) => ask<Hex[]>('debug_getModifiedAccountsByNumber', ...blocks)
    await send(alice, transfer(BOB, 0))
    await chain.advance(200)
    const inFirst = sorted([ALICE, BOB, FEE_VAULT, BEACON_ROOTS, HISTORY])
    expect(await byNumber('pending')).toEqual(inFirst)
    expect(await byNumber(0, 'pending')).toEqual(inFirst)
    await chain.seal()
    // The slot is 6 and again 5: the account does not differ.
    await send(alice, call(HOLDER, 1, pad('0x6')))
    await send(alice, call(HOLDER, 2, pad('0x5')))
    await send(alice, call(COUNTER, 3))
    await chain.seal()
    const inSecond = sorted([ALICE, COUNTER, FEE_VAULT, BEACON_ROOTS, HISTORY])
    for (const block of [2, '0x2', 'latest']) expect(await byNumber(block)).toEqual(inSecond)
    expect(await byNumber('0x1')).toEqual(inFirst)
    expect(await byNumber(0, 2)).toEqual(sorted([...inFirst, COUNTER]))
    const hashes: Hex[] = []
    for (const number of ['0x0', '0x1', '0x2'])
      hashes.push((await ask<{ hash: Hex }>('eth_getBlockByNumber', number, false)).hash)
    expect(await ask('debug_getModifiedAccountsByHash', hashes[2])).toEqual(inSecond)
    expect(await ask('debug_getModifiedAccountsByHash', hashes[0], hashes[1])).toEqual(inFirst)
    await expect(ask('debug_getModifiedAccountsByHash', hashes[1], hashes[1])).rejects.toMatchObject({
      code: -32000,
      message: 'start block height (1) must be less than end block height (1)',
    })
  })

  test('leaves out deleted accounts, as geth does', async () => {
    const doomed: Hex = '0x00000000000000000000000000000000000000dd'
    // CALLER, SELFDESTRUCT: before cancun it deletes the account.
    const genesis = { alloc: { [doomed]: { code: '0x33ff', balance: 7 } } } as const
    const { ask, chain, send } = await startScene({ genesis, hardfork: 'shanghai' })
    await send(alice, call(doomed, 0))
    await chain.seal()
    expect(await ask('debug_getModifiedAccountsByNumber', 1)).toEqual(sorted([ALICE, FEE_VAULT]))
  })

  test('refuses what has no parent, in words of geth', async () => {
    const { ask } = await startScene({ genesis: { number: 0xabc } })
    await expect(ask('debug_getModifiedAccountsByNumber', 'latest')).rejects.toMatchObject({
      code: -32000,
      message: 'block abc has no parent',
    })
    await expect(ask('debug_getModifiedAccountsByNumber', 1)).rejects.toMatchObject({ kind: 'blockNotFound' })
  })
})

describe('debug_intermediateRoots', () => {
  // test/standards/blocks.ts compares those before byzantium with the receipts of @ethereumjs.
  test('are those of the pending block after each transaction', async () => {
    const { ask, chain, send } = await startScene({ genesis: { alloc: contracts } })
    const rootAt = async (block: string): Promise<Hex> =>
      (await ask<{ stateRoot: Hex }>('eth_getBlockByNumber', block, false)).stateRoot
    const expected: Hex[] = []
    for (let nonce = 0; nonce < 3; nonce++) {
      await send(alice, call(COUNTER, nonce))
      await chain.advance(200)
      expected.push(await rootAt('pending'))
    }
    expect(new Set(expected).size).toBe(3)
    expect(await ask('debug_intermediateRoots', 'pending')).toEqual(expected)
    await chain.seal()
    expect(expected[2]).toBe(await rootAt('latest'))
    const { hash } = await ask<{ hash: Hex }>('eth_getBlockByNumber', 'latest', false)
    await chain.mine(300)
    expect(await ask('debug_intermediateRoots', hash, { reexec: 5 })).toEqual(expected)
  })

  test('are none without transactions, and refused at genesis', async () => {
    const { ask, chain } = await startScene()
    await chain.seal()
    expect(await ask('debug_intermediateRoots', 'latest')).toEqual([])
    await expect(ask('debug_intermediateRoots', 'earliest')).rejects.toMatchObject({
      code: -32000,
      message: 'genesis is not traceable',
    })
  })
})

test('debug_codeByHash', async () => {
  const { ask, chain } = await startScene()
  await chain.seal()
  await chain.setCode(COUNTER, COUNTER_CODE)
  const hash = keccak256(COUNTER_CODE)
  for (const block of [[], ['latest'], ['pending']])
    expect(await ask('debug_codeByHash', hash, ...block)).toBe(COUNTER_CODE)
  expect(await ask('debug_codeByHash', hash, '0x0')).toBeNull()
  expect(await ask('debug_codeByHash', keccak256('0x01'))).toBeNull()
  expect(await ask('debug_codeByHash', NO_CODE)).toBe('0x')
})

test('debug_preimage', async () => {
  const { ask, chain, send } = await startScene({ genesis: { alloc: contracts } })
  expect(await ask('debug_preimage', keccak256(ALICE))).toBe(ALICE)
  // keccak-256 of 32 zeros.
  const slot = '0x290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563'
  expect(await ask('debug_preimage', slot)).toBe(pad('0x0'))
  const fresh: Hex = '0x00000000000000000000000000000000000f4e54'
  await expect(ask('debug_preimage', keccak256(fresh))).rejects.toMatchObject({
    code: -32000,
    message: 'unknown preimage',
  })
  await send(alice, transfer(fresh, 0))
  await chain.advance(200)
  expect(await ask('debug_preimage', keccak256(fresh))).toBe(fresh)
})

describe('debug_executionWitness', () => {
  /** Stores the hash of the third block before in slot 1, and clears slot 0: NUMBER - 3, BLOCKHASH. */
  const READER: Hex = '0x00000000000000000000000000000000000000b0'
  const READER_CODE: Hex = '0x6003430340600155600060005500'
  const REQUESTS = [
    '0x00000961ef480eb55e80d19ad83579a64c007002',
    '0x0000bbddc7ce488642fb579f8b00f3a590007251',
  ]
  const slots = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [numberToHex(i * 7), '0x09']))
  // Contracts for requests that answer nothing, for @ethereumjs wants them to be there.
  const requests = Object.fromEntries(REQUESTS.map((address) => [address, { code: '0x00', nonce: 1 }]))
  const alloc = { ...contracts, ...requests, [READER]: { code: READER_CODE, storage: slots } } as never
  const common = referenceParameters('prague', 31_337)

  async function startWitnessed(): Promise<Scene> {
    const scene = await startScene({ genesis: { alloc } })
    await scene.chain.mine(4)
    await scene.send(alice, call(READER, 0))
    await scene.send(alice, call(COUNTER, 1))
    // Bob becomes the counter (EIP-7702), and counts.
    const authorization = await bob.signAuthorization({ address: COUNTER, chainId: 31_337, nonce: 0 })
    const { type: _, ...fields } = call(BOB, 2)
    await scene.send(alice, { ...fields, type: 'eip7702', authorizationList: [authorization] })
    await scene.send(alice, call(BOB, 3))
    return scene
  }

  const witnessOf = ({ ask }: Scene, block: string): Promise<Witness> => ask('debug_executionWitness', block)

  test('is enough to execute the block, pre-confirmed and sealed', { tags: 'gate' }, async () => {
    const scene = await startWitnessed()
    await scene.chain.advance(200)
    const pending = await witnessOf(scene, 'pending')
    await scene.chain.seal()
    const witness = await witnessOf(scene, 'latest')
    expect(pending).toEqual(witness)
    const rlp = await scene.ask<Hex>('debug_getRawBlock', 'latest')
    await executeStateless(common, rlp, witness, 'constant')
    await scene.chain.mine(300)
    expect(await witnessOf(scene, '0x5')).toEqual(witness)
    // Blocks 2, 3 and 4: up to the third before block 5.
    expect(witness.headers).toHaveLength(3)
    expect(witness.codes).toContain(COUNTER_CODE)
    expect(witness.keys).toEqual(expect.arrayContaining([ALICE, BOB, READER, pad('0x1')]))
    const parts = [
      { ...witness, state: witness.state.slice(1) },
      { ...witness, codes: witness.codes.filter((code) => code !== READER_CODE) },
      { ...witness, headers: witness.headers.slice(1) },
    ]
    for (const part of parts)
      await expect(executeStateless(common, rlp, part, 'constant')).rejects.toThrow('in the witness')
  })

  test('of an empty block has its parent and what the protocol writes', async () => {
    const scene = await startScene({ genesis: { alloc } })
    await scene.chain.mine(2)
    const witness = await witnessOf(scene, '0x2')
    expect(witness.headers).toEqual([await scene.ask('debug_getRawHeader', '0x1')])
    const rlp = await scene.ask<Hex>('debug_getRawBlock', '0x2')
    await executeStateless(common, rlp, witness, 'constant')
  })

  test('is refused for the first block, and without a state', async () => {
    const scene = await startScene({ stateHistory: 2 })
    await expect(witnessOf(scene, '0x0')).rejects.toMatchObject({ message: 'block 0 has no parent' })
    await scene.chain.mine(9)
    await expect(witnessOf(scene, '0x3')).rejects.toMatchObject({ kind: 'stateNotAvailable' })
    await expect(witnessOf(scene, '0x99')).rejects.toMatchObject({ kind: 'blockNotFound' })
  })
})

test.each(['anvil', 'hardhat', 'ganache'] as const)(
  'all answer at pending in the flavor %s',
  async (flavor) => {
    const { ask, send, chain } = await startScene({
      flavor,
      genesis: { alloc: contracts },
      pendingContents: 'pool',
    })
    await chain.seal()
    // Not pre-confirmed: `pending` is the block that would be sealed now.
    await send(alice, call(COUNTER, 0))
    expect(await ask('debug_intermediateRoots', 'pending')).toHaveLength(1)
    expect(await ask('debug_getModifiedAccountsByNumber', 'pending')).toContain(COUNTER)
    const counter = keccak256(COUNTER)
    const dump = await ask<Dump>('debug_accountRange', 'pending', counter, 1)
    expect(Object.values(dump.accounts)[0]?.storage).toEqual({ [pad('0x0')]: '01' })
    expect(await ask<Dump>('debug_dumpBlock', 'pending')).toMatchObject({ root: dump.root })
    const empty = { storage: {}, nextKey: null }
    expect(await ask('debug_storageRangeAt', 'pending', 0, COUNTER, '0x', 9)).toEqual(empty)
    expect(await ask('debug_codeByHash', keccak256(COUNTER_CODE), 'pending')).toBe(COUNTER_CODE)
    expect(await ask<Witness>('debug_executionWitness', 'pending')).toMatchObject({
      keys: expect.arrayContaining([ALICE, COUNTER, pad('0x0')]),
    })
  },
)
