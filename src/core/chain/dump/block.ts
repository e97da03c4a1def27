// Blocks in a state dump: sealed ones, packed as archived blocks are, and the open one. Format: docs/state-format.md.

import { blobGasOf, bloomOf, type ExecutedTransaction } from '../../execution/transaction/transaction.ts'
import { dumpField, FIELD_KINDS } from '../../primitives/fields.ts'
import { base64ToBytes, bytesToBase64, bytesToHex, type Hash } from '../../primitives/hex.ts'
import type { ForeignJson } from '../../primitives/json-reader.ts'
import { LATEST_TIMESTAMP } from '../../primitives/numbers.ts'
import * as headers from '../../rollup/header.ts'
import type { Rules } from '../../rollup/rules.ts'
import type { Schedule } from '../../rollup/schedule.ts'
import { applyChanges } from '../../state/state-changes.ts'
import { type CommittedState, EMPTY_COMMITTED_STATE } from '../../state/state-tries.ts'
import { EMPTY_WORLD_STATE, makeCode, type WorldState } from '../../state/world-state.ts'
import { addPartial, type OpenBlock, openBlock, type SealedBlock } from '../block/block.ts'
import { builtDifficulty } from '../block/execute-block.ts'
import * as archive from '../history/archived-block.ts'
import { changedBytesOf, isKeptWhole, type KeptState, worldOf } from '../history/kept-state.ts'
import { unpackBlock } from '../history/packed-block.ts'
import { dumpChanges, loadChanges } from './accounts.ts'
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

type LoadedBlock = ReturnType<typeof loadPacked>

/** Sums of gas have to be right, because fees are computed from them. */
function checkExecuted(executed: readonly ExecutedTransaction[], dumped: ForeignJson): void {
  let gasUsed = 0n
  for (const { transaction, receipt } of executed) {
    gasUsed += receipt.gasUsed
    if (transaction.sidecar !== undefined) dumped.refuse('transactions without blobs')
    if (receipt.cumulativeGasUsed !== gasUsed) dumped.refuse('cumulative gas that is the sum of the gas used')
  }
}

function loadPacked(dumped: ForeignJson) {
  const text = dumped.field('packed')
  const packed = typeof text.value === 'string' ? base64ToBytes(text.value) : undefined
  const unpacked = packed && unpackBlock(packed)
  if (packed === undefined || unpacked === undefined) return text.refuse('a packed block as base64')
  checkExecuted(unpacked.executed, text)
  const codes = headerDumps.itemsOf(dumped, 'codes').map((code) => makeCode(code.bytes()))
  const { codeCount } = unpacked.changes
  if (codes.length !== codeCount) dumped.field('codes').refuse(`as many as the changes have, ${codeCount}`)
  return { ...unpacked, packed, codes }
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
    const loaded = loadPacked(item)
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

/** The fields that do not follow from the parent, in the order of the dump. */
const DUMPED = [
  ...(['timestamp', 'coinbase', 'gasLimit', 'baseFeePerGas', 'prevRandao', 'extraData'] as const),
  ...(['parentBeaconBlockRoot', 'excessBlobGas'] as const),
]

/** The open block as JSON, with the new values (`after`) of the accounts that it changed. */
export function dumpOpenBlock({ environment, partials, executed, parent, state }: OpenBlock): string {
  const fields = {
    ...Object.fromEntries(
      DUMPED.map((name) => [name, dumpField(headers.headerField(name).kind, environment[name])]),
    ),
    partials: partials.map(({ index, executed: { length } }) => ({ index, length })),
    transactions: executed.map(headerDumps.dumpExecuted),
  }
  const after = dumpChanges(parent.committed.state, state)
  return `${JSON.stringify(fields).slice(0, -1)},"after":${after}}`
}

function loadEnvironment(dumped: ForeignJson, parent: SealedBlock): headers.EncodedHeader {
  const readField = (name: headers.HeaderName): unknown => {
    const field = dumped.field(name)
    if (name === 'timestamp') return field.integer(LATEST_TIMESTAMP)
    if (name === 'gasLimit') return field.amount(63)
    if (name === 'excessBlobGas') return field.amount(64)
    return FIELD_KINDS[headers.headerField(name).kind].fromDump(field)
  }
  const given: Partial<headers.Header> = { number: parent.header.number + 1, parentHash: parent.hash }
  const header = headers.makeHeader((name) =>
    (DUMPED as headers.HeaderName[]).includes(name) ? readField(name) : given[name],
  )
  if (header.timestamp < parent.header.timestamp)
    dumped.field('timestamp').refuse('a time that is not before the parent')
  return header
}

/**
 * Fields that follow from the logs and the transaction are computed, as for the transactions of archived blocks. The blob gas
 * of jovian follows from the state, too, and is taken from the dump.
 */
function withComputedFields(rules: Rules, executed: ExecutedTransaction): ExecutedTransaction {
  const { transaction, receipt } = executed
  const blobGasUsed = rules.rollup?.changes.metersFootprint ? receipt.blobGasUsed : blobGasOf(transaction)
  return { ...executed, receipt: { ...receipt, blobGasUsed, logsBloom: bloomOf(receipt.logs) } }
}

/** Divides the transactions into their partial blocks again. */
function loadPartials(dumped: ForeignJson, empty: OpenBlock): OpenBlock {
  const executed = headerDumps
    .loadExecuted(dumped.field('transactions'))
    .map((each) => withComputedFields(empty.rules, each))
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
  const environment = loadEnvironment(dumped, parent)
  const rules = schedule.rulesAt({ ...environment, difficulty: 0n })
  headerDumps.checkExcess(rules, environment.excessBlobGas, dumped.field('excessBlobGas'))
  const full = {
    ...headers.completeHeader(rules, environment),
    difficulty: builtDifficulty(schedule, rules, parent, environment.timestamp),
  }
  const open = loadPartials(dumped, openBlock(rules, parent, full))
  return { ...open, state: loadChanges(dumped.field('after'), parent.committed.state) }
}
