// Blocks in a state dump, packed as archived blocks are. Format: docs/state-format.md.

import type { ExecutedTransaction } from '../../execution/transaction/transaction.ts'
import { base64ToBytes, bytesToBase64, bytesToHex, type Hash } from '../../primitives/hex.ts'
import type { ForeignJson } from '../../primitives/json-reader.ts'
import { LATEST_TIMESTAMP } from '../../primitives/numbers.ts'
import * as headers from '../../rollup/header.ts'
import type { Schedule } from '../../rollup/schedule.ts'
import { applyChanges, packChanges } from '../../state/state-changes.ts'
import { type CommittedState, EMPTY_COMMITTED_STATE } from '../../state/state-tries.ts'
import { type Code, EMPTY_WORLD_STATE, makeCode, type WorldState } from '../../state/world-state.ts'
import { addPartial, type OpenBlock, openBlock, type SealedBlock } from '../block/block.ts'
import { builtDifficulty } from '../block/execute-block.ts'
import * as archive from '../history/archived-block.ts'
import { changedBytesOf, isKeptWhole, type KeptState, worldOf } from '../history/kept-state.ts'
import { packBlock, type UnpackedChanges, unpackBlock, unpackChanges } from '../history/packed-block.ts'
import * as headerDumps from './header.ts'

/** Packed bytes as JSON, with the new code of the changes in them. */
export function dumpPacked(packed: Uint8Array, codes: readonly Code[]) {
  const texts = codes.map(({ bytes }) => bytesToHex(bytes))
  return { packed: bytesToBase64(packed), ...(texts.length === 0 ? {} : { codes: texts }) }
}

/** A block as JSON, with the changes since the state that `before` computes. */
export function dumpBlock(block: SealedBlock, before: () => WorldState): string {
  const { packed, codes } = archive.packWithChanges(block, before)
  return JSON.stringify({ ...dumpPacked(packed, codes), ...headerDumps.dumpBody(block.body) })
}

type LoadedBlock = ReturnType<typeof loadBlock>

/** Sums of gas have to be right, because fees are computed from them. */
function checkExecuted(executed: readonly ExecutedTransaction[], dumped: ForeignJson): void {
  let gasUsed = 0n
  for (const { transaction, receipt } of executed) {
    gasUsed += receipt.gasUsed
    if (transaction.sidecar !== undefined) dumped.refuse('transactions without blobs')
    if (receipt.cumulativeGasUsed !== gasUsed) dumped.refuse('cumulative gas that is the sum of the gas used')
  }
}

/** The inverse of `dumpPacked`. */
function loadPacked<Unpacked>(
  dumped: ForeignJson,
  what: string,
  unpack: (packed: Uint8Array) => (Unpacked & { readonly changes: UnpackedChanges }) | undefined,
) {
  const text = dumped.field('packed')
  const packed = typeof text.value === 'string' ? base64ToBytes(text.value) : undefined
  const unpacked = packed && unpack(packed)
  if (packed === undefined || unpacked === undefined) return text.refuse(`${what} as base64`)
  const codes = headerDumps.itemsOf(dumped, 'codes').map((code) => makeCode(code.bytes()))
  const { codeCount } = unpacked.changes
  if (codes.length !== codeCount) dumped.field('codes').refuse(`as many as the changes have, ${codeCount}`)
  return { ...unpacked, packed, codes }
}

function loadBlock(dumped: ForeignJson) {
  const loaded = loadPacked(dumped, 'a packed block', unpackBlock)
  checkExecuted(loaded.executed, dumped.field('packed'))
  return loaded
}

/** A state with packed changes. */
export function loadChanges(dumped: ForeignJson, from: WorldState): WorldState {
  const { changes, codes } = loadPacked(dumped, 'packed changes', (packed) => {
    const unpacked = unpackChanges(packed)
    return unpacked && { changes: unpacked }
  })
  return applyChanges(from, changes.items, codes)
}

function link(
  schedule: Schedule,
  header: headers.Header,
  dumped: ForeignJson,
  parent: headerDumps.LinkedBlock | undefined,
): headerDumps.LinkedBlock {
  const { rules, header: full } = headerDumps.checkDumpedHeader(schedule, header, dumped)
  if (header.blobBaseFee !== full.blobBaseFee) dumped.refuse(`a blob base fee of ${full.blobBaseFee}`)
  return headerDumps.linkHeader({ rules, header }, headers.encodeHeader(rules, header), dumped, parent)
}

function stateOf({ changes, codes }: LoadedBlock, before: KeptState | undefined, origin: CommittedState) {
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
export function loadBlocks(schedule: Schedule, chain: ForeignJson, last: WorldState, below?: SealedBlock) {
  const dumped = chain.field('blocks').items()
  const origin: CommittedState = below?.committed ?? { ...EMPTY_COMMITTED_STATE }
  const blocks: { readonly block: SealedBlock; readonly hashes: readonly Hash[] }[] = []
  let parent: headerDumps.LinkedBlock | undefined = below
  let before: KeptState | undefined = below && { world: origin.state, origin }
  for (const [index, item] of dumped.entries()) {
    const loaded = loadBlock(item)
    const linked = link(schedule, loaded.header, item.field('packed'), parent)
    const body = headerDumps.loadBody(schedule, item, linked)
    const isLast = index === dumped.length - 1
    const isGiven = isLast && below === undefined
    const state = isGiven ? { world: last, origin } : stateOf(loaded, before, origin)
    const block = archive.archivedBlock({ ...linked, body }, loaded.packed, state)
    blocks.push({ block, hashes: loaded.executed.map(({ transaction }) => transaction.hash) })
    parent = linked
    before = archive.keptStateOf(block)
  }
  // Those of the others are checked by their children.
  const head = chain.field('head')
  if (parent !== undefined && head.hex(32) !== parent.hash)
    head.refuse(`the hash of the last block under ${parent.rules.hardfork}, ${parent.hash}`)
  return { blocks, origin }
}

/** The open block as JSON, packed as a sealed one is, with its partial blocks. */
export function dumpOpenBlock({ environment, partials, executed, parent, state }: OpenBlock): string {
  const fixed: Partial<headers.Header> = headers.environmentWith(environment, {})
  const { bytes, codes } = packChanges(parent.committed.state, state)
  const packed = packBlock(
    headers.makeHeader((name) => fixed[name]),
    executed,
    bytes,
  )
  const batches = partials.map(({ index, executed: { length } }) => ({ index, length }))
  return JSON.stringify({ ...dumpPacked(packed, codes), partials: batches })
}

/** Divides the transactions into their partial blocks again. */
function loadPartials(dumped: ForeignJson, empty: OpenBlock, executed: LoadedBlock['executed']): OpenBlock {
  let open = empty
  const partials = dumped.field('partials')
  for (const partial of partials.items()) {
    const end = open.executed.length + partial.field('length').integer()
    const batch = executed.slice(open.executed.length, end)
    open = addPartial(open, { index: partial.field('index').integer(), executed: batch }, open.state)
  }
  if (open.executed.length !== executed.length || executed.length === 0)
    partials.refuse('partial blocks that hold the transactions')
  return open
}

export function loadOpenBlock(schedule: Schedule, dumped: ForeignJson, parent: SealedBlock): OpenBlock {
  const { header: given, executed, changes, codes } = loadBlock(dumped)
  const { number, timestamp } = parent.header
  const text = dumped.field('packed')
  if (given.timestamp < timestamp || given.timestamp > LATEST_TIMESTAMP)
    text.refuse(`a time from that of the parent, ${timestamp}, up to ${LATEST_TIMESTAMP}`)
  const placed = { ...given, difficulty: 0n, number: number + 1, parentHash: parent.hash }
  const { rules, header } = headerDumps.checkDumpedHeader(schedule, placed, text)
  const difficulty = builtDifficulty(schedule, rules, parent, header.timestamp)
  const open = loadPartials(dumped, openBlock(rules, parent, { ...header, difficulty }), executed)
  return { ...open, state: applyChanges(parent.committed.state, changes.items, codes) }
}
