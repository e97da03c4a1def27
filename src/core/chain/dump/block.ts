// Sealed blocks in a state dump, packed as archived blocks are. Format: docs/state-format.md.

import type { ExecutedTransaction } from '../../execution/transaction/transaction.ts'
import { base64ToBytes, bytesToBase64, bytesToHex, type Hash, hexToBytes } from '../../primitives/hex.ts'
import * as json from '../../primitives/json-reader.ts'
import { malformed } from '../../primitives/json-reader.ts'
import { encodeHeader, type Header } from '../../rollup/header.ts'
import type { Schedule } from '../../rollup/schedule.ts'
import { applyChanges, packChanges, type StateChanges } from '../../state/state-changes.ts'
import { type CommittedState, EMPTY_COMMITTED_STATE } from '../../state/state-tries.ts'
import { type Code, EMPTY_WORLD_STATE, makeCode, type WorldState } from '../../state/world-state.ts'
import type { SealedBlock } from '../block/block.ts'
import type { LoadedBlocks } from '../chain.ts'
import * as archive from '../history/archived-block.ts'
import { changedBytesOf, isKeptWhole, type KeptState, worldOf } from '../history/kept-state.ts'
import { type UnpackedBlock, unpackBlock } from '../history/packed-block.ts'
import { loadChanges } from './accounts.ts'
import * as headerDumps from './header.ts'

/** A block as JSON, with the changes since the state that `before` computes. */
export function dumpBlock(block: SealedBlock, before: () => WorldState): string {
  const { packed, codes } = archive.packWithChanges(block, before)
  return JSON.stringify({
    packed: bytesToBase64(packed),
    ...(codes.length === 0 ? {} : { codes: codes.map(({ bytes }) => bytesToHex(bytes)) }),
    ...headerDumps.dumpBody(block.body),
  })
}

interface LoadedBlock extends UnpackedBlock {
  readonly packed: Uint8Array
  readonly codes: readonly Code[]
}

/** Sums of gas have to be right, because fees are computed from them. */
function checkExecuted(executed: readonly ExecutedTransaction[], path: string): void {
  let gasUsed = 0n
  for (const { transaction, receipt } of executed) {
    gasUsed += receipt.gasUsed
    if (transaction.sidecar !== undefined) malformed(path, 'transactions without blobs')
    if (receipt.cumulativeGasUsed !== gasUsed)
      malformed(path, 'cumulative gas that is the sum of the gas used')
  }
}

function loadPacked(fields: Record<string, unknown>, path: string): LoadedBlock {
  const at = `${path}.packed`
  const { packed: text } = fields
  const packed = typeof text === 'string' ? base64ToBytes(text) : undefined
  const unpacked = packed && unpackBlock(packed)
  if (packed === undefined || unpacked === undefined) return malformed(at, 'a packed block as base64')
  checkExecuted(unpacked.executed, at)
  const codes = json.readEach(fields['codes'] ?? [], `${path}.codes`, (code, where) =>
    makeCode(hexToBytes(json.readHex(code, where))),
  )
  const { codeCount } = unpacked.changes
  if (codes.length !== codeCount) malformed(`${path}.codes`, `as many as the changes have, ${codeCount}`)
  return { ...unpacked, packed, codes }
}

function link(
  schedule: Schedule,
  header: Header,
  path: string,
  parent: headerDumps.LinkedBlock | undefined,
): headerDumps.LinkedBlock {
  const { rules, header: full } = headerDumps.checkDumpedHeader(schedule, header, path)
  if (header.blobBaseFee !== full.blobBaseFee) malformed(path, `a blob base fee of ${full.blobBaseFee}`)
  return headerDumps.linkHeader({ rules, header }, encodeHeader(rules, header), path, parent)
}

/** The state of a block as it is archived. */
function stateOf(
  { changes, codes }: LoadedBlock,
  before: KeptState | undefined,
  origin: CommittedState,
): archive.ArchivedState {
  const after = (from: WorldState): WorldState => applyChanges(from, changes.items, codes)
  if (before === undefined) return { world: after(EMPTY_WORLD_STATE), origin }
  if (isKeptWhole(changedBytesOf(before) + changes.bytes.length))
    return { world: after(worldOf(before)), origin }
  return { before, changes: { bytes: changes.bytes, codes } }
}

/**
 * The blocks of a chain from genesis on; `last` is the state after the last block, and `head` its hash. Those of a fork
 * are above the block `below`, and the states follow from that one's.
 */
export function loadBlocks(
  schedule: Schedule,
  { blocks: value, head }: Record<string, unknown>,
  path: string,
  last: WorldState,
  below?: SealedBlock,
): LoadedBlocks {
  const dumped = json.readArray(value, `${path}.blocks`)
  const origin: CommittedState = below?.committed ?? { ...EMPTY_COMMITTED_STATE }
  const blocks: { readonly block: SealedBlock; readonly hashes: readonly Hash[] }[] = []
  let parent: headerDumps.LinkedBlock | undefined = below
  let before: KeptState | undefined = below && { world: origin.state, origin }
  for (const [index, item] of dumped.entries()) {
    const at = `${path}.blocks[${index}]`
    const fields = json.readObject(item, at)
    const loaded = loadPacked(fields, at)
    const linked = link(schedule, loaded.header, `${at}.packed`, parent)
    const body = headerDumps.loadBody(schedule, fields, at, linked)
    const isLast = index === dumped.length - 1
    const isGiven = isLast && below === undefined
    const state = isGiven ? { world: last, origin } : stateOf(loaded, before, origin)
    const block = archive.archivedBlock({ ...linked, body }, loaded.packed, state)
    blocks.push({ block, hashes: loaded.executed.map(({ transaction }) => transaction.hash) })
    parent = linked
    before = archive.keptStateOf(block)
  }
  // Those of the others are checked by their children.
  if (parent !== undefined && json.readHash(head, `${path}.head`) !== parent.hash) {
    malformed(`${path}.head`, `the hash of the last block under ${parent.rules.hardfork}, ${parent.hash}`)
  }
  return { blocks, origin }
}

// Blocks of version 1, which are JSON, and the states before them.

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
    const before = loadChanges(json.readObject(blocks[index], at)['before'], `${at}.before`, state)
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
  const dumped = json.readArray(value, path)
  const origin: CommittedState = { ...EMPTY_COMMITTED_STATE }
  const states = dumped.length === 0 ? [] : statesOf(dumped, path, last)
  const blocks: { readonly block: SealedBlock; readonly hashes: readonly Hash[] }[] = []
  let parent: headerDumps.LinkedBlock | undefined
  for (const [index, item] of dumped.entries()) {
    const at = `${path}[${index}]`
    const fields = json.readObject(item, at)
    const header = headerDumps.loadHeader(schedule, fields['header'], `${at}.header`)
    const linked = headerDumps.linkHeader(header, header.bytes, `${at}.header`, parent)
    const body = headerDumps.loadBody(schedule, fields, at, linked)
    const executed = headerDumps.loadExecuted(fields['transactions'], `${at}.transactions`)
    const state = states[index] as WorldState | StateChanges
    const before = archive.keptStateOf(blocks.at(-1)?.block)
    const block = archive.archiveBlock(
      { ...linked, body, executed },
      'bytes' in state ? { before: before as KeptState, changes: state } : { world: state, origin },
    )
    if (block === undefined) malformed(`${at}.transactions`, 'transactions without blobs')
    blocks.push({ block, hashes: executed.map(({ transaction }) => transaction.hash) })
    parent = linked
  }
  return { blocks, origin }
}
