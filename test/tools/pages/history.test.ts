// The time cursor of the explorer: every instant has the state that the chain had then.

import { createEmulator, type Emulator } from 'tickchain'
import { expect, test } from 'vitest'
import { recordHistory } from '../../../src/tools/pages/explorer/history.ts'
import type { Ask } from '../../../src/tools/pages/explorer/source.ts'

// The first two accounts of the "test … junk" mnemonic.
const ACCOUNTS = [
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
] as const

/** Everything that a cursor shows: blocks, the pool, accounts, the clock. */
async function digestOf(ask: Ask): Promise<string> {
  const { number } = (await ask('eth_getBlockByNumber', ['latest', true])) as { number: string }
  const numbers = Array.from({ length: Number(number) + 1 }, (_, each) => `0x${each.toString(16)}`)
  const told = await Promise.all([
    ...[...numbers, 'pending'].map((tag) => ask('eth_getBlockByNumber', [tag, true])),
    ask('txpool_content', []),
    ask('tickchain_status', []),
    ask('debug_accountRange', ['pending', '0x', 256, true, true]),
  ])
  return JSON.stringify(told)
}

const lookOf = (chain: Emulator): Ask =>
  (chain as unknown as { clientAccess: { look: Ask } }).clientAccess.look

/** A generator of numbers below 2^32 (xorshift). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

/** Commands of a run: payments, time, blocks, reorganisations, jumps and reverts. */
async function play(chain: Emulator, random: (below: number) => number, start: object): Promise<void> {
  const [from, to] = random(2) === 0 ? ACCOUNTS : [ACCOUNTS[1], ACCOUNTS[0]]
  switch (random(8)) {
    case 0:
    case 1:
      await chain.request('eth_sendTransaction', [{ from, to, value: `0x${(1 + random(99)).toString(16)}` }])
      break
    case 2:
    case 3:
      await chain.advance(1 + random(5000))
      break
    case 4:
      await chain.seal()
      break
    case 5: {
      const head = Number(await chain.request('eth_blockNumber'))
      if (head > 1) await chain.reorg({ depth: 1 + random(Math.min(3, head - 1)) })
      break
    }
    case 6:
      await chain.jump(1 + random(9000))
      break
    default:
      await (random(4) === 0
        ? chain.revert(start as never)
        : chain.setBalance(to, 10n ** 20n + BigInt(random(1000))))
  }
}

test.each([1, 2])(
  'every state under the cursor equals the one that the chain had, run %i',
  { tags: 'gate' },
  async (seed) => {
    const chain = await createEmulator()
    const { note, history } = recordHistory(chain as never)
    const start = chain.snapshot()
    const had = new Map([[history.last(), await digestOf(lookOf(chain))]])
    const random = randomFrom(seed * 7919)
    for (let step = 0; step < 25; step++) {
      await play(chain, random, start)
      note()
      had.set(history.last(), await digestOf(lookOf(chain)))
    }
    const now = await digestOf(lookOf(chain))
    // In no order, since each is computed by itself.
    for (const [position, digest] of [...had].toReversed()) {
      expect(await digestOf(await history.at(position))).toBe(digest)
    }
    expect(await digestOf(lookOf(chain))).toBe(now)
  },
)

test('instants while the clock went on in one command are computed, with their partial blocks', async () => {
  const chain = await createEmulator()
  const [from, to] = ACCOUNTS
  const send = (of: Emulator) => of.request('eth_sendTransaction', [{ from, to, value: '0x7' }])
  const { note, history } = recordHistory(chain as never)
  await send(chain)
  note()
  const begun = history.last()
  // Another chain with the same commands, which stops on the way.
  const other = chain.clone()
  await chain.advance(5000)
  note()
  for (const ms of [100, 200, 1999, 2000, 4600]) {
    const stopped = other.clone()
    await stopped.advance(ms)
    expect(await digestOf(await history.at(begun + ms))).toBe(await digestOf(lookOf(stopped)))
  }
})

test('the moment before a jump stands for the time that it leaves out', async () => {
  const chain = await createEmulator()
  const { note, history } = recordHistory(chain as never)
  const before = await digestOf(lookOf(chain))
  await chain.jump(10_000)
  note()
  expect(await digestOf(await history.at(history.first() + 5000))).toBe(before)
})

test('a block that a reorganisation took off is under the cursor as it was', async () => {
  const chain = await createEmulator()
  const [from, to] = ACCOUNTS
  const { note, history } = recordHistory(chain as never)
  await chain.request('eth_sendTransaction', [{ from, to, value: '0x7' }])
  await chain.seal()
  note()
  const orphan = await chain.request('eth_getBlockByNumber', ['latest', true])
  const position = history.last()
  await chain.reorg({ depth: 1 })
  note()
  expect(await chain.request('eth_getBlockByNumber', ['0x1', true])).not.toEqual(orphan)
  const past = await history.at(position)
  expect(await past('eth_getBlockByNumber', ['latest', true])).toEqual(orphan)
})

test('positions and times of the clock lead to each other, and the last branch answers for a time', async () => {
  const chain = await createEmulator()
  const { note, history } = recordHistory(chain as never)
  const startMs = history.timeAt(history.first())
  const begun = chain.snapshot()
  await chain.advance(3000)
  note()
  expect(history.timeAt(history.first() + 1200)).toBe(startMs + 1200)
  expect(history.positionAt(startMs + 1200)).toBe(history.first() + 1200)
  const before = history.last()
  await chain.revert(begun)
  note()
  // The clock has gone back, and the cursor has not.
  expect(history.last()).toBe(before + 1)
  expect(history.timeAt(history.last())).toBe(startMs)
  expect(history.timeAt(before - 1)).toBe(startMs + 2999)
  await chain.advance(1000)
  note()
  expect(history.positionAt(startMs + 400)).toBe(before + 401)
  // The branch that was left had it before.
  expect(history.positionAt(startMs + 400, startMs + 3000)).toBe(history.first() + 400)
  // Nothing was left at this time.
  expect(history.positionAt(startMs + 400, startMs + 2500)).toBe(before + 401)
  // Only the branch that was left had this time.
  expect(history.positionAt(startMs + 2000)).toBe(history.first() + 2000)
  // Before the beginning, and after the end.
  expect(history.positionAt(startMs - 5)).toBe(history.first())
  expect(history.positionAt(startMs + 9000)).toBe(history.last())
})
