// Sealed blocks in a state dump of version 1, which has them as JSON, and the states before them.

import type { Hash } from '../../primitives/hex.ts'
import { malformed, readArray, readObject } from '../../primitives/json-reader.ts'
import type { Schedule } from '../../rollup/schedule.ts'
import { packChanges, type StateChanges } from '../../state/state-changes.ts'
import { type CommittedState, EMPTY_COMMITTED_STATE } from '../../state/state-tries.ts'
import type { WorldState } from '../../state/world-state.ts'
import type { SealedBlock } from '../block/block.ts'
import type { LoadedBlocks } from '../chain.ts'
import { archiveBlock, keptStateOf } from '../history/archived-block.ts'
import { isKeptWhole, type KeptState } from '../history/kept-state.ts'
import { loadChanges } from './accounts.ts'
import { loadBody } from './body.ts'
import { type LinkedBlock, linkHeader, loadHeader } from './header.ts'
import { loadExecuted } from './transaction.ts'

/**
 * The state after each block, as it is archived, worked out backwards from the last one with the `before` fields. The
 * changes are packed at once, because all versions of a long chain's state take too much memory.
 */
function statesOf(blocks: readonly unknown[], path: string, last: WorldState): (WorldState | StateChanges)[] {
  const states = new Array<WorldState | StateChanges>(blocks.length)
  let state = last
  let changedBytes = 0
  for (let index = blocks.length - 1; index > 0; index--) {
    const at = `${path}[${index}]`
    const before = loadChanges(readObject(blocks[index], at)['before'], `${at}.before`, state)
    const changes = packChanges(before, state)
    changedBytes += changes.bytes.length
    const isWhole = isKeptWhole(changedBytes) || index === blocks.length - 1
    states[index] = isWhole ? state : changes
    if (isWhole) changedBytes = 0
    state = before
  }
  states[0] = state
  return states
}

/** The blocks of a chain from genesis on; `last` is the state after the last block. */
export function loadBlocksOfVersion1(
  schedule: Schedule,
  value: unknown,
  path: string,
  last: WorldState,
): LoadedBlocks {
  const dumped = readArray(value, path)
  const origin: CommittedState = { ...EMPTY_COMMITTED_STATE }
  const states = dumped.length === 0 ? [] : statesOf(dumped, path, last)
  const blocks: { readonly block: SealedBlock; readonly hashes: readonly Hash[] }[] = []
  let parent: LinkedBlock | undefined
  for (const [index, item] of dumped.entries()) {
    const at = `${path}[${index}]`
    const fields = readObject(item, at)
    const header = loadHeader(schedule, fields['header'], `${at}.header`)
    const linked = linkHeader(header, header.bytes, `${at}.header`, parent)
    const body = loadBody(schedule, fields, at, linked)
    const executed = loadExecuted(fields['transactions'], `${at}.transactions`)
    const state = states[index] as WorldState | StateChanges
    const before = keptStateOf(blocks.at(-1)?.block)
    const block = archiveBlock(
      { ...linked, body, executed },
      'bytes' in state ? { before: before as KeptState, changes: state } : { world: state, origin },
    )
    if (block === undefined) malformed(`${at}.transactions`, 'transactions without blobs')
    blocks.push({ block, hashes: executed.map(({ transaction }) => transaction.hash) })
    parent = linked
  }
  return { blocks, origin }
}
