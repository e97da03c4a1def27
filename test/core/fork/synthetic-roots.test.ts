// Synthetic state roots of a fork are a function of its state: the way to it, dumps, rollbacks and imports do not show.

import { beforeAll, expect, test } from 'vitest'
import type { Hex } from '../../../src/core/primitives/hex.ts'
import { createEmulator, type Emulator } from '../../../src/index.ts'
import { ask, rpcError, wireTo } from './upstreams.ts'

/** Keeps the second word of its input in the slot of the first; pays its balance out if there is no input. */
const KEEPER_CODE: Hex = '0x3660065733ff5b6020355f355500'
const KEEPER: Hex = `0x${'a1'.repeat(20)}`
const RICH: Hex = `0x${'b2'.repeat(20)}`
const word = (value: number): string => value.toString(16).padStart(64, '0')
const hex = (value: number): Hex => `0x${word(value)}`

let upstream: Emulator

beforeAll(async () => {
  const keeper = { balance: '0x0', code: KEEPER_CODE, storage: { [hex(0)]: hex(5) } }
  // Later forks keep the hashes of blocks in the state.
  upstream = await createEmulator({
    hardfork: 'cancun',
    genesis: { alloc: { [KEEPER]: keeper, [RICH]: { balance: '0x5' } } },
  })
  await upstream.mine(2)
})

const forkOf = (on: Emulator = upstream) => createEmulator({ production: 'auto', fork: { upstream: on } })

async function latest(chain: Emulator): Promise<{ readonly hash: Hex; readonly stateRoot: Hex }> {
  return (await ask(chain, 'eth_getBlockByNumber', 'latest', false)) as never
}

const send = (chain: Emulator, data: string, value = '0x0') =>
  chain.listAccounts().then(([from]) => ask(chain, 'eth_sendTransaction', { from, to: KEEPER, data, value }))

/** Two blocks, after which the slot, the balance of the contract and that of the other account are as upstream. */
async function changeAndRestore(chain: Emulator): Promise<void> {
  await chain.setBalance(RICH, 6n)
  await send(chain, `0x${word(0)}${word(6)}`, '0x1')
  await chain.setBalance(RICH, 5n)
  await send(chain, `0x${word(0)}${word(5)}`, '0x1')
  await send(chain, '0x')
}

async function nextHash(chain: Emulator): Promise<Hex> {
  await chain.mine(1)
  return (await latest(chain)).hash
}

test('a dump, loaded over the same fork or anywhere, goes on with the same hashes', async () => {
  const chain = await forkOf()
  await changeAndRestore(chain)
  const dump = await chain.dump()
  const over = await forkOf()
  await over.load(dump)
  const alone = await createEmulator({ production: 'auto', state: dump })
  const expected = await nextHash(chain)
  expect([await nextHash(over), await nextHash(alone)]).toEqual([expected, expected])
})

test('a rollback to an archived block finds the root of its header, and the same blocks follow', async () => {
  const chain = await forkOf()
  await changeAndRestore(chain)
  const { stateRoot } = await latest(chain)
  await chain.mine(60)
  await chain.rollback(60)
  expect((await latest(chain)).stateRoot).toBe(stateRoot)
  expect(`0x${((await ask(chain, 'debug_dumpBlock', 'latest')) as { root: string }).root}`).toBe(stateRoot)
  const loaded = await createEmulator({ production: 'auto', state: await chain.dump() })
  expect(await nextHash(chain)).toBe(await nextHash(loaded))
})

test('blocks of a fork are imported into another fork of the block, also after a dump', async () => {
  const chain = await forkOf()
  await changeAndRestore(chain)
  await chain.mine(60)
  const head = Number(await ask(chain, 'eth_blockNumber'))
  const raws: Hex[] = []
  for (let number = 3; number <= head; number++)
    raws.push((await ask(chain, 'debug_getRawBlock', `0x${number.toString(16)}`)) as Hex)
  const blocks = (from: number, to?: number): Hex =>
    `0x${raws
      .slice(from, to)
      .map((raw) => raw.slice(2))
      .join('')}`
  const other = await forkOf()
  // Edits are not part of blocks.
  await other.setBalance(RICH, 6n)
  await other.importBlocks(blocks(0, 1))
  await other.setBalance(RICH, 5n)
  await other.importBlocks(blocks(1, 2))
  const loaded = await createEmulator({ production: 'auto', state: await other.dump() })
  await loaded.importBlocks(blocks(2))
  expect((await latest(loaded)).hash).toBe((await latest(chain)).hash)
})

test('a fork whose edits were taken back has the hashes of one that was not edited', async () => {
  const [edited, plain] = [await forkOf(), await forkOf()]
  await edited.setBalance(RICH, 0n)
  await edited.setBalance(KEEPER, 1n)
  await edited.setNonce(KEEPER, 7n)
  await edited.setCode(KEEPER, '0x00')
  await edited.setStorageAt(KEEPER, hex(0), hex(0))
  await edited.setStorageAt(KEEPER, hex(1), hex(1))
  await edited.setStorageAt(RICH, hex(1), hex(1))
  await edited.mine(1)
  await edited.setBalance(RICH, 5n)
  await edited.setBalance(KEEPER, 0n)
  await edited.setNonce(KEEPER, 0n)
  await edited.setCode(KEEPER, KEEPER_CODE)
  await edited.setStorageAt(KEEPER, hex(0), hex(5))
  await edited.setStorageAt(KEEPER, hex(1), hex(0))
  await edited.setStorageAt(RICH, hex(1), hex(0))
  await edited.mine(1)
  await plain.mine(2)
  expect((await latest(edited)).stateRoot).toBe((await latest(plain)).stateRoot)
})

test('roots do not depend on whether the upstream has proofs', async () => {
  const wire = wireTo(upstream)
  wire.answer = ({ method }) =>
    method === 'eth_getProof' ? rpcError(-32601, 'the method does not exist') : undefined
  const [proving, other] = [await forkOf(), await forkOf(wire as never)]
  for (const chain of [proving, other]) {
    await changeAndRestore(chain)
    await chain.setStorageAt(RICH, hex(1), hex(1))
  }
  expect(await nextHash(other)).toBe(await nextHash(proving))
})
