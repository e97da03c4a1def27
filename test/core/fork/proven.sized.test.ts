// Forks whose state roots are proven: what is built on them has the roots and hashes that the forked chain itself has.

import { encodeDeployData, encodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import type { Hex } from '../../../src/core/primitives/hex.ts'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../../src/index.ts'
import { Lifecycle, Token } from '../../contracts/generated.ts'
import { sampled } from '../../size.ts'
import { AS_THEY_ARE, blocksFrom, expectSameBlocks } from './same-blocks.ts'
import { ask, rpcError, type Wire, wireTo } from './upstreams.ts'

test.each(
  sampled(
    (['shanghai', 'cancun', 'prague', 'osaka'] as const).flatMap((hardfork) =>
      [1, 2].map((seed) => [hardfork, seed] as const),
    ),
  ),
)('the same transactions make the same blocks under %s with seed %i', async (hardfork, seed) => {
  await expectSameBlocks(hardfork, { seed, blocks: 16 })
})

const ALICE: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const BOB: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const NOBODY: Hex = `0x${'ee'.repeat(20)}`

const fill = (from: bigint, to: bigint): Hex =>
  encodeFunctionData({ abi: Lifecycle.abi, functionName: 'fill', args: [from, to] })
const clear = (from: bigint, to: bigint): Hex =>
  encodeFunctionData({ abi: Lifecycle.abi, functionName: 'clear', args: [from, to] })

interface Scene {
  readonly chain: Emulator
  readonly token: Hex
  readonly lifecycle: Hex
}

/** A chain of three blocks, with a token and a contract of 40 slots. */
async function scene(): Promise<Scene> {
  const chain = await createEmulator({ ordering: 'fifo' })
  const deploy = async (data: Hex): Promise<Hex> => {
    const hash = await ask(chain, 'eth_sendTransaction', { from: ALICE, data })
    await chain.seal()
    return ((await ask(chain, 'eth_getTransactionReceipt', hash)) as { contractAddress: Hex }).contractAddress
  }
  const token = await deploy(encodeDeployData({ abi: Token.abi, bytecode: Token.bytecode, args: [1000n] }))
  const lifecycle = await deploy(Lifecycle.bytecode)
  await ask(chain, 'eth_sendTransaction', { from: ALICE, to: lifecycle, data: fill(0n, 40n) })
  await chain.seal()
  return { chain, token, lifecycle }
}

async function provenForkOf(wire: Wire, options: EmulatorOptions = {}): Promise<Emulator> {
  return createEmulator({ ...AS_THEY_ARE, ...options, fork: { upstream: wire, roots: 'proven' } })
}

/** Slots are cleared and written, tokens move, and blocks stay empty. */
async function work(on: Emulator, { token, lifecycle }: Scene): Promise<void> {
  const transfer = encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [BOB, 7n] })
  for (const [to, data] of [
    [token, transfer],
    [lifecycle, clear(0n, 9n)],
    [lifecycle, clear(15n, 40n)],
    [lifecycle, fill(20n, 23n)],
  ] as const) {
    await ask(on, 'eth_sendTransaction', { from: ALICE, to, data, gas: '0x100000' })
    await on.advance(4000)
  }
}

test('proofs and witnesses of blocks above the fork are those of the chain', async () => {
  const made = await scene()
  const { chain, token, lifecycle } = made
  const fork = await provenForkOf(wireTo(chain.clone()))
  for (const each of [chain, fork]) await work(each, made)
  const first = '0x4'
  for (const block of [first, 'latest', 'pending'])
    for (const [who, slots] of [
      [token, ['0x0', '0x1', '0x5']],
      [lifecycle, ['0x3', '0xc', '0x14', '0x63']],
      [BOB, []],
      [NOBODY, ['0x0']],
    ] as const) {
      expect(await ask(fork, 'eth_getProof', who, slots, block)).toEqual(
        await ask(chain, 'eth_getProof', who, slots, block),
      )
    }
  for (const method of ['debug_executionWitness', 'debug_intermediateRoots'])
    for (const block of ['0x4', '0x6', '0x8'])
      expect(await ask(fork, method, block)).toEqual(await ask(chain, method, block))
  expect(await ask(fork, 'eth_getAccount', lifecycle, 'latest')).toEqual(
    await ask(chain, 'eth_getAccount', lifecycle, 'latest'),
  )
})

test('listeners are told the hashes of blocks and partial blocks', { tags: 'gate' }, async () => {
  const made = await scene()
  const { chain } = made
  const fork = await provenForkOf(wireTo(chain.clone()))
  const told = async (on: Emulator): Promise<unknown[]> => {
    const messages: unknown[] = []
    on.on('message', ({ data }) => messages.push((data as { result: unknown }).result))
    for (const kind of ['newHeads', 'newFlashblocks']) await ask(on, 'eth_subscribe', kind)
    on.on('sealedBlock', ({ hash }) => messages.push(hash))
    await work(on, made)
    return messages
  }
  const expected = await told(chain)
  expect(expected.length).toBeGreaterThan(80)
  expect(await told(fork)).toEqual(expected)
})

test('edits, reorganisations and long times have true roots, too', { tags: 'gate' }, async () => {
  const { chain, lifecycle } = await scene()
  const fork = await provenForkOf(wireTo(chain.clone()))
  for (const each of [chain, fork]) {
    await each.setBalance(NOBODY, 5n)
    await each.setStorageAt(lifecycle, '0x1', '0x0')
    await each.mine(3)
    // Deletes the account.
    await each.setBalance(NOBODY, 0n)
    await each.setBalance(BOB, 0n)
    await each.mine(2)
    await each.reorg({ depth: 4 })
    await each.setCode(lifecycle, '0x')
    await each.advance(9000 * 2000)
  }
  expect(await ask(fork, 'eth_blockNumber')).toBe('0x2330')
  for (const block of ['0x4', '0x7', '0x8', '0x2230', 'latest'])
    expect(await ask(fork, 'eth_getBlockByNumber', block, true)).toEqual(
      await ask(chain, 'eth_getBlockByNumber', block, true),
    )
})

test('a storage that is emptied and filled again has true roots', async () => {
  const chain = await createEmulator({ ordering: 'fifo' })
  const keeper: Hex = `0x${'ab'.repeat(20)}`
  for (const slot of ['0x1', '0x2'] as const) await chain.setStorageAt(keeper, slot, '0x7')
  await chain.setCode(keeper, '0x00')
  await chain.mine(1)
  const fork = await provenForkOf(wireTo(chain.clone()))
  for (const each of [chain, fork]) {
    for (const slot of ['0x1', '0x2'] as const) await each.setStorageAt(keeper, slot, '0x0')
    await each.mine(1)
    expect(await ask(each, 'eth_getProof', keeper, ['0x1'], 'latest')).toMatchObject({
      // The root of an empty trie.
      storageHash: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
    })
    await each.setStorageAt(keeper, '0x3', '0x9')
    await each.mine(1)
  }
  expect(await blocksFrom(fork, 2)).toEqual(await blocksFrom(chain, 2))
})

test('accounts that a test signs for are funded by writes', async () => {
  const chain = await createEmulator({ accounts: { count: 2, balance: 7n } })
  await chain.mine(2)
  const fork = await createEmulator({
    accounts: { count: 2 },
    fork: { upstream: wireTo(chain.clone()), roots: 'proven' },
  })
  for (const who of [ALICE, BOB]) await chain.setBalance(who, 10_000n * 10n ** 18n)
  for (const each of [chain, fork]) await each.mine(2)
  expect(await blocksFrom(fork, 3)).toEqual(await blocksFrom(chain, 3))
})

test('blocks cost few requests', { tags: 'gate' }, async () => {
  const chain = await createEmulator()
  await chain.mine(1000)
  const wire = wireTo(chain)
  const fork = await provenForkOf(wire)
  const before = wire.asked.length
  // 16 blocks and the one being built: two contracts with their slots of eight blocks at a time.
  await fork.advance(32_000)
  expect(wire.asked.slice(before).map(({ method }) => method)).toEqual(Array(6).fill('eth_getProof'))
})

test('a recording has the nodes that roots need, and is the same when it is made again', {
  tags: 'gate',
}, async () => {
  const made = await scene()
  const { chain } = made
  const upstream = chain.clone()
  await work(chain, made)
  const record = async (): Promise<string> => {
    let text: string | undefined
    const recording = {
      read: () => text,
      write(written: string) {
        text = written
      },
    }
    const fork = await createEmulator({ ...AS_THEY_ARE, fork: { upstream, roots: 'proven', recording } })
    await work(fork, made)
    return text as unknown as string
  }
  const text = await record()
  expect(await record()).toBe(text)
  expect(text).toContain('\nnode 0x')
  const recording = { read: () => text, write: () => undefined }
  const replayed = await createEmulator({ ...AS_THEY_ARE, fork: { block: 3, roots: 'proven', recording } })
  await work(replayed, made)
  expect(await blocksFrom(replayed, 4)).toEqual(await blocksFrom(chain, 4))
  const data = fill(60n, 61n)
  const missed = ask(replayed, 'eth_sendTransaction', { from: ALICE, to: made.lifecycle, data })
  await expect(missed).rejects.toMatchObject({
    kind: 'notRecorded',
    message: expect.stringMatching(/slot 0x/),
  })
  const other = await createEmulator({ ...AS_THEY_ARE, fork: { block: 3, roots: 'proven', recording } })
  await expect(other.advance(60_000)).rejects.toMatchObject({
    kind: 'notRecorded',
    message: expect.stringMatching(/^the proof of the slot 0x[0-9a-f]{64} of 0x000/),
  })
})

test('a dump has the nodes, and goes on where the recording knows them', { tags: 'gate' }, async () => {
  const made = await scene()
  const fork = await provenForkOf(wireTo(made.chain.clone()))
  await work(fork, made)
  const dump = await fork.dump()
  const loaded = await createEmulator({ ...AS_THEY_ARE, state: dump })
  expect(await loaded.dump()).toEqual(dump)
  for (const each of [fork, loaded]) {
    await ask(each, 'eth_sendTransaction', { from: ALICE, to: made.lifecycle, data: fill(20n, 22n) })
    await each.advance(4000)
  }
  expect(await blocksFrom(loaded, 4)).toEqual(await blocksFrom(fork, 4))
  await fork.load(dump)
  expect(await blocksFrom(fork, 4)).toEqual((await blocksFrom(loaded, 4)).slice(0, -2))
})

interface Proof {
  readonly accountProof: readonly Hex[]
  readonly storageProof: readonly { readonly key: Hex; readonly value: Hex; readonly proof: readonly Hex[] }[]
}

/** The upstream's proofs, changed on the way. */
function lying(chain: Emulator, about: Hex, change: (proof: Proof) => object): Wire {
  const wire = wireTo({
    async request({ method, params = [] }) {
      const answer = await ask(chain, method, ...params)
      return method === 'eth_getProof' && params[0] === about ? change(answer as Proof) : answer
    },
  })
  return wire
}

test.each<[string, (proof: Proof) => object, RegExp]>([
  ['balance', (proof) => ({ ...proof, balance: '0x1' }), /result\.accountProof: .*nonce, balance/],
  ['node', (proof) => ({ ...proof, accountProof: proof.accountProof.slice(0, 1) }), /with the node 0x/],
  ['storage', (proof) => ({ ...proof, storageHash: `0x${'12'.repeat(32)}` }), /storageHash/],
])('a wrong %s in a proof is refused', async (_, change, reason) => {
  const { chain, lifecycle } = await scene()
  const fork = await provenForkOf(lying(chain, lifecycle, change))
  const read = ask(fork, 'eth_getBalance', lifecycle, 'latest')
  await expect(read).rejects.toMatchObject({ kind: 'upstreamAnswer', message: expect.stringMatching(reason) })
  await expect(read).rejects.toThrow(`eth_getProof("${lifecycle}"`)
})

test.each<[string, (proof: Proof['storageProof'][number]) => object, RegExp]>([
  ['value', (slot) => ({ ...slot, value: '0x99' }), /the value of the slot 0x0{63}5/],
  ['node', (slot) => ({ ...slot, proof: [] }), /the slot 0x0{63}5 of 0x[0-9a-f]{40}, with the node/],
])('a wrong %s of a slot in a proof is refused', async (_, change, reason) => {
  const { chain, lifecycle } = await scene()
  const wire = lying(chain, lifecycle, (proof) => ({
    ...proof,
    storageProof: proof.storageProof.map(change),
  }))
  const fork = await provenForkOf(wire)
  const read = ask(fork, 'eth_getStorageAt', lifecycle, '0x5', 'latest')
  await expect(read).rejects.toMatchObject({ kind: 'upstreamAnswer', message: expect.stringMatching(reason) })
})

test('an upstream without proofs is named', async () => {
  const { chain } = await scene()
  const wire = wireTo(chain)
  wire.answer = ({ method }) => (method === 'eth_getProof' ? rpcError(-32601, 'no such method') : undefined)
  await expect(provenForkOf(wire)).rejects.toMatchObject({
    kind: 'upstreamFailed',
    message: expect.stringMatching(
      /^no such method: the upstream refused eth_getProof\("0x[0-9a-f]{40}", \[\], \{"blockHash":"0x[0-9a-f]{64}"\}\)$/,
    ),
  })
})
