// States of archived blocks: kept as changes, or whole after many changes. They read the same as when they were new.

import { type Hex, toHex } from 'viem'
import { expect, test } from 'vitest'
import { createEmulator, type Emulator } from '../../../../src/index.ts'

const HOLDER: Hex = `0x${'c0'.repeat(20)}`
/** Blocks that are not archived. */
const RECENT = 128

async function sealMany(chain: Emulator, count: number): Promise<void> {
  for (let sealed = 0; sealed < count; sealed++) await chain.seal()
}

test('states are read forwards, backwards and at random, with a chain that goes on', async () => {
  const chain = await createEmulator({ production: 'manual', blockTimeMs: 1 })
  const LENGTH = 700
  for (let number = 1; number <= LENGTH; number++) {
    await chain.request('anvil_setBalance', [HOLDER, toHex(number)])
    await chain.seal()
  }
  await sealMany(chain, RECENT)
  const read = async (number: number) =>
    Number(await chain.request('eth_getBalance', [HOLDER, toHex(number)]))
  // An edit is made to the head, so block n - 1 has the balance n.
  const all = Array.from({ length: LENGTH }, (_, number) => number)
  for (const number of all) expect(await read(number)).toBe(number + 1)
  for (const number of [...all].reverse()) expect(await read(number)).toBe(number + 1)
  for (const number of all.map((each) => (each * 389) % LENGTH)) {
    expect(await read(number)).toBe(number + 1)
    if (number % 50 === 0) await chain.seal()
  }
})

test('a rollback into archived blocks continues from their state, and archives them again', async () => {
  const chain = await createEmulator({ production: 'manual' })
  const straight = await createEmulator({ production: 'manual' })
  const [from = '0x', to = '0x'] = await chain.request('eth_accounts')
  const send = async (target: Emulator, count: number) => {
    for (let sent = 0; sent < count; sent++) {
      await target.request('eth_sendTransaction', [{ from, to, value: '0x1', gas: '0x5208' }])
      await target.seal()
    }
  }
  const head = (target: Emulator, number: number) =>
    target.request('eth_getBlockByNumber', [toHex(number), false])
  await send(chain, 40)
  await send(straight, 40)
  const beyond = 300
  await send(chain, beyond)
  await chain.rollback(beyond)
  expect(await head(chain, 40)).toEqual(await head(straight, 40))
  const restored = BigInt(await chain.request('eth_getBalance', [to, 'latest']))
  expect(restored).toBe(10n ** 22n + 40n)
  await send(chain, 200)
  for (const number of [10, 39, 40, 41, 42, 100, 170, 239]) {
    expect(BigInt(await chain.request('eth_getBalance', [to, toHex(number)]))).toBe(
      10n ** 22n + BigInt(number),
    )
  }
  const exported = await chain.exportBlocks()
  const other = await createEmulator({ production: 'manual' })
  // Executes all blocks again, so wrong states would give other roots.
  await other.importBlocks(exported)
  expect((await head(other, 240))?.hash).toBe((await head(chain, 240))?.hash)
})

test('a rollback to any depth near the head leads to the states and proofs of a chain that stopped there', async () => {
  const HEIGHT = 180
  // Before cancun, a state does not depend on hashes and times, which differ after a rollback.
  const chain = await createEmulator({ production: 'manual', hardfork: 'shanghai' })
  const [from = '0x'] = await chain.request('eth_accounts')
  /** Each block has a recipient of its own, so that no change hides the lack of another. */
  const recipientOf = (block: number): Hex => toHex(0x10000 + block, { size: 20 })
  const send = async (target: Emulator) => {
    const to = recipientOf(Number(await target.request('eth_blockNumber')) + 1)
    await target.request('eth_sendTransaction', [{ from, to, value: '0x1', gas: '0x5208' }])
    await target.seal()
  }
  const proofOf = (target: Emulator, number: number) =>
    target.request('eth_getProof', [recipientOf(number), [], toHex(number)])
  const depths = [1, 31, 32, 33, 47, 48, 49, 64, 80, 100]
  const stopped = new Map<number, Emulator>()
  const proofs = new Map<number, unknown>()
  for (let number = 1; number <= HEIGHT; number++) {
    await send(chain)
    if (!depths.includes(HEIGHT - number)) continue
    stopped.set(HEIGHT - number, chain.clone())
    proofs.set(number, await proofOf(chain, number))
  }
  for (const [number, proof] of proofs) expect(await proofOf(chain, number)).toEqual(proof)
  for (const [depth, straight] of stopped) {
    const back = chain.clone()
    await back.rollback(depth)
    // Other blocks are archived on the way, so that states which stay at hand are those of both branches.
    for (let sent = 0; sent < 40; sent++) {
      await send(back)
      await send(straight)
    }
    for (const tag of ['latest', toHex(HEIGHT - depth + 20), toHex(HEIGHT - depth)] as const) {
      const [got, wanted] = await Promise.all(
        [back, straight].map((each) => each.request('eth_getBlockByNumber', [tag, false])),
      )
      expect(got?.stateRoot).toBe(wanted?.stateRoot)
      expect(got?.number).toBe(wanted?.number)
    }
    expect(await proofOf(back, HEIGHT - depth + 5)).toEqual(await proofOf(straight, HEIGHT - depth + 5))
  }
})
