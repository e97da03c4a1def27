// Sealed and open blocks in a state dump. Format: docs/state-format.md.

import type { BlockEnvironment } from '../../execution/evm/environment.ts'
import { bloomOf } from '../../execution/transaction/bloom.ts'
import type { ExecutedTransaction } from '../../execution/transaction/receipt.ts'
import { blobGasOf } from '../../execution/transaction/transaction.ts'
import { keccak256Hex } from '../../primitives/crypto.ts'
import { bytesToHex, equalBytes, type Hash, hexToBytes, toQuantity } from '../../primitives/hex.ts'
import {
  malformed,
  readAddress,
  readAmount,
  readArray,
  readEach,
  readHash,
  readHex,
  readInteger,
  readObject,
} from '../../primitives/json-reader.ts'
import { LATEST_TIMESTAMP, MAX_GAS_LIMIT } from '../../primitives/numbers.ts'
import { blobBaseFee, mostExcessBlobGas } from '../../rollup/blobs.ts'
import type { Rules } from '../../rollup/rules.ts'
import type { Schedule } from '../../rollup/schedule.ts'
import { packChanges, type StateChanges } from '../../state/state-changes.ts'
import { type CommittedState, EMPTY_COMMITTED_STATE } from '../../state/state-tries.ts'
import type { WorldState } from '../../state/world-state.ts'
import {
  addPartial,
  type OpenBlock,
  openBlockOn,
  type SealedBlock,
  totalDifficultyAfter,
} from '../block/block.ts'
import { type BlockBody, EMPTY_BODY, type Uncle, type Withdrawal } from '../block/body.ts'
import { encodeHeader } from '../block/header.ts'
import type { LoadedBlocks } from '../chain.ts'
import { archiveBlock, keptStateOf } from '../history/archived-block.ts'
import { isKeptWhole, type KeptState } from '../history/kept-state.ts'
import { decodeHeaderBytes } from '../import/decode-block.ts'
import { dumpChanges, loadChanges } from './accounts.ts'
import { dumpExecuted, loadExecuted } from './transaction.ts'

function dumpWithdrawal({ index, validatorIndex, address, amount }: Withdrawal) {
  return {
    index: toQuantity(index),
    validatorIndex: toQuantity(validatorIndex),
    address,
    amount: toQuantity(amount),
  }
}

function loadWithdrawal(value: unknown, path: string): Withdrawal {
  const { index, validatorIndex, address, amount } = readObject(value, path)
  return {
    index: readAmount(index, `${path}.index`, 64),
    validatorIndex: readAmount(validatorIndex, `${path}.validatorIndex`, 64),
    address: readAddress(address, `${path}.address`),
    amount: readAmount(amount, `${path}.amount`, 64),
  }
}

/** The JSON of an object with one more field, whose value is JSON already. */
function withField(object: object, name: string, text: string): string {
  return `${JSON.stringify(object).slice(0, -1)},"${name}":${text}}`
}

/**
 * A block as JSON, with the former values (`before`) of the accounts that it changed, from the states after it and
 * before it; genesis has none.
 */
export function dumpBlock(block: SealedBlock, after: WorldState, before: WorldState | undefined): string {
  const { rules, header, body, executed } = block
  const { uncles, withdrawals, requests } = body
  const fields = {
    header: bytesToHex(encodeHeader(rules, header)),
    transactions: executed.map(dumpExecuted),
    ...(uncles.length + withdrawals.length + requests.length === 0
      ? {}
      : {
          uncles: uncles.map((uncle) => bytesToHex(encodeHeader(uncle.rules, uncle.header))),
          withdrawals: withdrawals.map(dumpWithdrawal),
          requests: requests.map(bytesToHex),
        }),
  }
  return before === undefined
    ? JSON.stringify(fields)
    : withField(fields, 'before', dumpChanges(after, before))
}

/** More would take as long to make a fee of as it is large. */
function checkExcess({ blobs }: Rules, excess: bigint, path: string): void {
  const most = mostExcessBlobGas(blobs)
  if (excess > most) malformed(path, `an excess blob gas up to ${most}`)
}

function loadHeader(
  schedule: Schedule,
  value: unknown,
  path: string,
): Uncle & { readonly bytes: Uint8Array } {
  const bytes = hexToBytes(readHex(value, path))
  const decoded = decodeHeaderBytes(bytes)
  if (decoded.gasLimit > MAX_GAS_LIMIT) malformed(path, `a gas limit up to ${MAX_GAS_LIMIT}`)
  const rules = schedule.rulesAt(decoded)
  checkExcess(rules, decoded.excessBlobGas, path)
  const header = { ...decoded, blobBaseFee: blobBaseFee(rules.blobs, decoded.excessBlobGas) }
  if (!equalBytes(encodeHeader(rules, header), bytes)) malformed(path, `a header of ${rules.hardfork}`)
  return { rules, header, bytes }
}

function loadBody(
  schedule: Schedule,
  fields: Record<string, unknown>,
  path: string,
  nonce: BlockBody['nonce'],
): BlockBody {
  const body: BlockBody = {
    nonce,
    uncles: readEach(fields['uncles'] ?? [], `${path}.uncles`, (item, at) => {
      const { rules, header } = loadHeader(schedule, item, at)
      return { rules, header }
    }),
    withdrawals: readEach(fields['withdrawals'] ?? [], `${path}.withdrawals`, loadWithdrawal),
    requests: readEach(fields['requests'] ?? [], `${path}.requests`, (item, at) =>
      hexToBytes(readHex(item, at)),
    ),
  }
  const { uncles, withdrawals, requests } = body
  const isEmpty = uncles.length + withdrawals.length + requests.length === 0 && nonce === EMPTY_BODY.nonce
  return isEmpty ? EMPTY_BODY : body
}

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

type Linked = Pick<SealedBlock, 'rules' | 'header' | 'hash' | 'totalDifficulty'>

/** Reads a header, which must be that of block `index`, on top of its parent. */
function loadLinked(schedule: Schedule, value: unknown, path: string, parent: Linked | undefined): Linked {
  const { rules, header, bytes } = loadHeader(schedule, value, path)
  const expected = parent === undefined ? header.number : parent.header.number + 1
  if (header.number !== expected) malformed(path, `number ${expected}`)
  if (parent !== undefined && header.parentHash !== parent.hash) malformed(path, 'the hash of its parent')
  return {
    rules,
    header,
    hash: keccak256Hex(bytes),
    totalDifficulty:
      parent === undefined ? header.difficulty : totalDifficultyAfter(parent, header.difficulty),
  }
}

/** The blocks of a chain from genesis on; `last` is the state after the last block. */
export function loadBlocks(schedule: Schedule, value: unknown, path: string, last: WorldState): LoadedBlocks {
  const dumped = readArray(value, path)
  const origin: CommittedState = { ...EMPTY_COMMITTED_STATE }
  const states = dumped.length === 0 ? [] : statesOf(dumped, path, last)
  const blocks: { readonly block: SealedBlock; readonly hashes: readonly Hash[] }[] = []
  let parent: Linked | undefined
  for (const [index, item] of dumped.entries()) {
    const at = `${path}[${index}]`
    const fields = readObject(item, at)
    const linked = loadLinked(schedule, fields['header'], `${at}.header`, parent)
    const body = loadBody(schedule, fields, at, linked.header.nonce)
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

/** The open block as JSON, with the new values (`after`) of the accounts that it changed. */
export function dumpOpenBlock({ environment, partials, executed, parent, state }: OpenBlock): string {
  const { timestamp, coinbase, prevRandao, parentBeaconBlockRoot } = environment
  const fields = {
    timestamp,
    coinbase,
    gasLimit: toQuantity(environment.gasLimit),
    baseFeePerGas: toQuantity(environment.baseFeePerGas),
    prevRandao,
    extraData: bytesToHex(environment.extraData),
    parentBeaconBlockRoot,
    excessBlobGas: toQuantity(environment.excessBlobGas),
    partials: partials.map(({ index, executed: { length } }) => ({ index, length })),
    transactions: executed.map(dumpExecuted),
  }
  return withField(fields, 'after', dumpChanges(parent.committed.state, state))
}

function loadEnvironment(
  fields: Record<string, unknown>,
  path: string,
  parent: SealedBlock,
): Omit<BlockEnvironment, 'blobBaseFee'> {
  const at = (name: string): [unknown, string] => [fields[name], `${path}.${name}`]
  const timestamp = readInteger(...at('timestamp'), LATEST_TIMESTAMP)
  if (timestamp < parent.header.timestamp)
    malformed(`${path}.timestamp`, 'a time that is not before the parent')
  return {
    number: parent.header.number + 1,
    timestamp,
    parentHash: parent.hash,
    coinbase: readAddress(...at('coinbase')),
    gasLimit: readAmount(...at('gasLimit'), 63),
    baseFeePerGas: readAmount(...at('baseFeePerGas')),
    prevRandao: readHash(...at('prevRandao')),
    extraData: hexToBytes(readHex(...at('extraData'))),
    parentBeaconBlockRoot: readHash(...at('parentBeaconBlockRoot')),
    excessBlobGas: readAmount(...at('excessBlobGas'), 64),
    difficulty: 0n,
  }
}

/** What follows from the logs and the transaction is computed, as for the transactions of archived blocks. */
function withComputedFields(executed: ExecutedTransaction): ExecutedTransaction {
  const { transaction, receipt } = executed
  const computed = { blobGasUsed: blobGasOf(transaction), logsBloom: bloomOf(receipt.logs) }
  return { ...executed, receipt: { ...receipt, ...computed } }
}

/** Divides the transactions into their partial blocks again. */
function loadPartials(fields: Record<string, unknown>, path: string, empty: OpenBlock): OpenBlock {
  const executed = loadExecuted(fields['transactions'], `${path}.transactions`).map(withComputedFields)
  let open = empty
  for (const [position, item] of readArray(fields['partials'], `${path}.partials`).entries()) {
    const at = `${path}.partials[${position}]`
    const { index, length } = readObject(item, at)
    const batch = executed.slice(
      open.executed.length,
      open.executed.length + readInteger(length, `${at}.length`),
    )
    open = addPartial(open, { index: readInteger(index, `${at}.index`), executed: batch }, open.state)
  }
  if (open.executed.length !== executed.length || executed.length === 0) {
    malformed(`${path}.partials`, 'partial blocks that hold the transactions')
  }
  return open
}

/** The open block on a parent. */
export function loadOpenBlock(
  rulesAt: (environment: Omit<BlockEnvironment, 'blobBaseFee'>) => Rules,
  value: unknown,
  path: string,
  parent: SealedBlock,
): OpenBlock {
  const fields = readObject(value, path)
  const environment = loadEnvironment(fields, path, parent)
  const rules = rulesAt(environment)
  checkExcess(rules, environment.excessBlobGas, `${path}.excessBlobGas`)
  const full = { ...environment, blobBaseFee: blobBaseFee(rules.blobs, environment.excessBlobGas) }
  const { state } = parent.committed
  const open = loadPartials(fields, path, openBlockOn(rules, parent, full, state))
  return { ...open, state: loadChanges(fields['after'], `${path}.after`, state) }
}
