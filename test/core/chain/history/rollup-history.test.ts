// Blocks of the OP stack packed and dumped: what is read back is what was executed.

import { expect, test } from 'vitest'
import { addPartial, openBlock, sealBlock } from '../../../../src/core/chain/block/block.ts'
import { dumpBlock, dumpOpenBlock, loadBlocks, loadOpenBlock } from '../../../../src/core/chain/dump/block.ts'
import { archiveBlock } from '../../../../src/core/chain/history/archived-block.ts'
import { failure } from '../../../../src/core/primitives/errors.ts'
import { ForeignJson } from '../../../../src/core/primitives/json-reader.ts'
import { EMPTY_COMMITTED_STATE } from '../../../../src/core/state/state-tries.ts'
import { EMPTY_WORLD_STATE } from '../../../../src/core/state/world-state.ts'
import { opScheduleOf } from '../../execution/op-chain.ts'
import { buildBlock, genesisOf, transactionsOf } from '../rollup-block.ts'

const FORKS = ['bedrock', 'regolith', 'canyon', 'isthmus', 'jovian'] as const

test.each(FORKS)('%s: archived', async (fork) => {
  const parent = genesisOf(fork)
  const block = await buildBlock({ fork, parent, transactions: await transactionsOf(fork) })
  const world = block.committed.state
  const archived = archiveBlock(block, { world, origin: EMPTY_COMMITTED_STATE })
  expect(archived?.header).toEqual(block.header)
  expect(archived?.executed).toEqual(block.executed)
})

function dumpedJson(value: unknown): ForeignJson {
  return new ForeignJson(value, 'dump', (reason) => failure('undecodableState', { reason }))
}

test.each(FORKS)('%s: dumped and loaded', async (fork) => {
  const parent = genesisOf(fork)
  const block = await buildBlock({ fork, parent, transactions: await transactionsOf(fork) })
  const blocks = [
    JSON.parse(dumpBlock(parent, () => EMPTY_WORLD_STATE)),
    JSON.parse(dumpBlock(block, () => parent.committed.state)),
  ]
  const loaded = loadBlocks(
    opScheduleOf(fork),
    dumpedJson({ blocks, head: block.hash }),
    block.committed.state,
  )
  const last = loaded.blocks.at(-1)?.block
  expect(last?.hash).toBe(block.hash)
  expect(last?.executed).toEqual(block.executed)
  expect(last?.body).toEqual(block.body)
})

test.each(FORKS)('%s: an open block dumped and loaded', async (fork) => {
  const parent = genesisOf(fork)
  const block = await buildBlock({ fork, parent, transactions: await transactionsOf(fork) })
  const { rules, executed, header } = block
  const open = addPartial(openBlock(rules, parent, header), { index: 0, executed }, block.committed.state)
  const dumped = dumpedJson(JSON.parse(dumpOpenBlock(open)))
  const loaded = loadOpenBlock(opScheduleOf(fork), dumped, parent)
  expect(loaded.executed).toEqual(executed)
  expect(sealBlock(loaded).hash).toBe(block.hash)
})
