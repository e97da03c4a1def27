// Replay of a block's transactions on the state before them.

import { createEmulator, type Emulator } from 'tickchain'
import { describe, expect, test } from 'vitest'
import { internalsOf } from '../../../src/core/emulator/internals.ts'
import type { FrameEnd, FrameStart } from '../../../src/core/execution/trace/observer.ts'
import { requireBlock } from '../../../src/core/node/lookup.ts'
import { replayTransactions, stateBefore } from '../../../src/core/node/replay.ts'
import { readAccount } from '../../../src/core/state/world-state.ts'

// The first two accounts of the "test … junk" mnemonic.
const ALICE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const BOB = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
// Sends half of its balance to Alice: PUSH0 ×4, PUSH1 2, SELFBALANCE, DIV, PUSH20 Alice, GAS, CALL, STOP.
const SPLITTER = '0x0000000000000000000000000000000000005011'
const SPLITTER_CODE = `0x5f5f5f5f60024704 73${ALICE.slice(2)}5af100`.replace(' ', '')

function send(chain: Emulator, to: string, value = '0x0') {
  return chain.request({
    method: 'eth_sendTransaction',
    params: [{ from: ALICE, to, value, gas: '0x186a0' } as never],
  })
}

async function replayed(chain: Emulator, block: 'pending' | number, from = 0, to = 1) {
  const { node } = internalsOf('test', chain).session
  const view = requireBlock(node.state, block)
  const frames: (FrameStart | FrameEnd)[] = []
  const all = await replayTransactions(node.state, view, { from, to }, () => ({
    observer: { enter: (frame: FrameStart) => frames.push(frame), exit: (end: FrameEnd) => frames.push(end) },
  }))
  return { all, frames, node, view }
}

describe('replay', () => {
  test('tells frames of a transfer, pre-confirmed and sealed', async () => {
    const chain = await createEmulator()
    await send(chain, BOB, '0x5')
    await chain.advance(200)
    for (const block of ['pending', 1] as const) {
      const { all, frames } = await replayed(chain, block)
      expect(all.map(({ executed }) => executed.receipt.gasUsed)).toEqual([21_000n])
      expect(frames).toMatchObject([
        { kind: 'CALL', depth: 0, from: ALICE, to: BOB, value: 5n, gas: 79_000 },
        { gasUsed: 0, error: undefined },
      ])
      await chain.seal()
    }
  })

  test('begins from the edits between the transactions of a block that was edited once it was sealed', async () => {
    const chain = await createEmulator()
    await send(chain, BOB)
    await chain.advance(200)
    await chain.setBalance(ALICE, 10n ** 18n)
    await send(chain, BOB, '0x5')
    await chain.seal()
    await chain.setBalance(ALICE, 0n)
    const { all } = await replayed(chain, 1, 0, 2)
    expect(all.map(({ before }) => readAccount(before, ALICE).balance)[1]).toBe(10n ** 18n)
  })

  test('begins from the edits between the transactions of a block', async () => {
    const chain = await createEmulator()
    await chain.setCode(SPLITTER, SPLITTER_CODE as never)
    await chain.setBalance(SPLITTER, 100n)
    await send(chain, SPLITTER)
    await chain.advance(200)
    await chain.setBalance(SPLITTER, 1000n)
    await send(chain, SPLITTER)
    await chain.advance(200)
    await chain.setBalance(SPLITTER, 7n)
    await chain.seal()
    await chain.mine(200)
    for (const [index, value] of [50n, 500n].entries()) {
      const { frames, node, view } = await replayed(chain, 1, index, index + 1)
      expect(frames[1]).toMatchObject({ from: SPLITTER, to: ALICE, value })
      const before = await stateBefore(node.state, view, index)
      expect(readAccount(before, SPLITTER).balance).toBe(2n * value)
    }
    const { node, view } = await replayed(chain, 1)
    expect(readAccount(await stateBefore(node.state, view, 2), SPLITTER).balance).toBe(7n)
  })

  test('continues from the transaction that was run again last, to the same results', async () => {
    const chain = await createEmulator()
    await chain.setCode(SPLITTER, SPLITTER_CODE as never)
    await chain.setBalance(SPLITTER, 64n)
    for (let i = 0; i < 4; i++) await send(chain, SPLITTER)
    await chain.seal()
    // Each transaction sends half of what the one before has left; first in order, then back and forth.
    for (const index of [0, 1, 2, 3, 1, 3, 0, 2]) {
      const { all, frames, view } = await replayed(chain, 1, index, index + 1)
      expect(frames[1]).toMatchObject({ from: SPLITTER, value: 32n >> BigInt(index) })
      expect(all[0]?.executed.receipt).toEqual(view.executed[index]?.receipt)
    }
    const { all } = await replayed(chain, 1, 1, 4)
    expect(all.map(({ before }) => readAccount(before, SPLITTER).balance)).toEqual([32n, 16n, 8n])
  })

  test('refuses a block whose state is not kept, also if it was run again before', async () => {
    const chain = await createEmulator({ stateHistory: 2 })
    await send(chain, BOB, '0x5')
    await chain.seal()
    await replayed(chain, 1)
    await chain.mine(5)
    await expect(replayed(chain, 1)).rejects.toMatchObject({ kind: 'stateNotAvailable' })
  })
})
