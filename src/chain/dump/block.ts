// Sealed and open blocks in a state dump. Format: docs/state-format.md.

import type { BlockEnvironment } from '../../execution/evm/environment.ts'
import { bytesToHex, equalBytes, hexToBytes, toQuantity } from '../../primitives/hex.ts'
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
import { MAX_GAS_LIMIT } from '../../primitives/numbers.ts'
import { blobBaseFee } from '../../rollup/blobs.ts'
import type { Rules } from '../../rollup/rules.ts'
import type { Schedule } from '../../rollup/schedule.ts'
import { commitState, EMPTY_COMMITTED_STATE } from '../../state/state-tries.ts'
import type { WorldState } from '../../state/world-state.ts'
import {
  addPartial,
  type OpenBlock,
  openBlockOn,
  type SealedBlock,
  totalDifficultyAfter,
} from '../block/block.ts'
import { type BlockBody, EMPTY_BODY, type Uncle, type Withdrawal } from '../block/body.ts'
import { encodeHeader, hashHeader } from '../block/header.ts'
import { decodeHeaderBytes } from '../import/decode-block.ts'
import { environmentOf } from '../import/import-block.ts'
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

/** A block with the former values (`before`) of the accounts that it changed; genesis has none. */
export function dumpBlock(block: SealedBlock, parent: SealedBlock | undefined): object {
  const { rules, header, body, executed, committed } = block
  const { uncles, withdrawals, requests } = body
  return {
    header: bytesToHex(encodeHeader(rules, header)),
    ...(parent === undefined ? {} : { before: dumpChanges(committed.state, parent.committed.state) }),
    transactions: executed.map(dumpExecuted),
    ...(uncles.length + withdrawals.length + requests.length === 0
      ? {}
      : {
          uncles: uncles.map((uncle) => bytesToHex(encodeHeader(uncle.rules, uncle.header))),
          withdrawals: withdrawals.map(dumpWithdrawal),
          requests: requests.map(bytesToHex),
        }),
  }
}

function loadHeader(schedule: Schedule, value: unknown, path: string): Uncle {
  const bytes = hexToBytes(readHex(value, path))
  const { fieldCount: _, ...decoded } = decodeHeaderBytes(bytes)
  if (decoded.gasLimit > MAX_GAS_LIMIT) malformed(path, `a gas limit up to ${MAX_GAS_LIMIT}`)
  const rules = schedule.rulesAt(decoded)
  const header = { ...environmentOf(rules, decoded), ...decoded }
  if (!equalBytes(encodeHeader(rules, header), bytes)) malformed(path, `a header of ${rules.hardfork}`)
  return { rules, header }
}

function loadBody(
  schedule: Schedule,
  fields: Record<string, unknown>,
  path: string,
  nonce: BlockBody['nonce'],
): BlockBody {
  const body: BlockBody = {
    nonce,
    uncles: readEach(fields['uncles'] ?? [], `${path}.uncles`, (item, at) => loadHeader(schedule, item, at)),
    withdrawals: readEach(fields['withdrawals'] ?? [], `${path}.withdrawals`, loadWithdrawal),
    requests: readEach(fields['requests'] ?? [], `${path}.requests`, (item, at) =>
      hexToBytes(readHex(item, at)),
    ),
  }
  const { uncles, withdrawals, requests } = body
  const isEmpty = uncles.length + withdrawals.length + requests.length === 0 && nonce === EMPTY_BODY.nonce
  return isEmpty ? EMPTY_BODY : body
}

/** The state after each block, worked out backwards from the last one with the `before` fields. */
function statesOf(blocks: readonly unknown[], path: string, last: WorldState): WorldState[] {
  const states = [last]
  let state = last
  for (let index = blocks.length - 1; index > 0; index--) {
    const at = `${path}[${index}]`
    state = loadChanges(readObject(blocks[index], at)['before'], `${at}.before`, state)
    states.push(state)
  }
  return states.reverse()
}

/** The blocks of a chain from genesis on; `last` is the state after the last block. */
export function loadBlocks(
  schedule: Schedule,
  value: unknown,
  path: string,
  last: WorldState,
): SealedBlock[] {
  const dumped = readArray(value, path)
  const states = statesOf(dumped, path, last)
  const blocks: SealedBlock[] = []
  for (const [index, item] of dumped.entries()) {
    const at = `${path}[${index}]`
    const fields = readObject(item, at)
    const { rules, header } = loadHeader(schedule, fields['header'], `${at}.header`)
    const parent = blocks.at(-1)
    if (header.number !== index) malformed(`${at}.header`, `number ${index}`)
    if (parent !== undefined && header.parentHash !== parent.hash)
      malformed(`${at}.header`, 'the hash of its parent')
    blocks.push({
      rules,
      header,
      body: loadBody(schedule, fields, at, header.nonce),
      hash: hashHeader(rules, header),
      totalDifficulty:
        parent === undefined ? header.difficulty : totalDifficultyAfter(parent, header.difficulty),
      executed: loadExecuted(fields['transactions'], `${at}.transactions`),
      committed: commitState(parent?.committed ?? EMPTY_COMMITTED_STATE, states[index] ?? last),
    })
  }
  return blocks
}

/** The open block, with the new values (`after`) of the accounts that it changed. */
export function dumpOpenBlock({ environment, partials, executed, parent, state }: OpenBlock): object {
  const { timestamp, coinbase, prevRandao, parentBeaconBlockRoot } = environment
  return {
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
    after: dumpChanges(parent.committed.state, state),
  }
}

function loadEnvironment(
  fields: Record<string, unknown>,
  path: string,
  parent: SealedBlock,
): Omit<BlockEnvironment, 'blobBaseFee'> {
  const at = (name: string): [unknown, string] => [fields[name], `${path}.${name}`]
  return {
    number: parent.header.number + 1,
    timestamp: readInteger(...at('timestamp')),
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

/** Divides the transactions into their partial blocks again. */
function loadPartials(fields: Record<string, unknown>, path: string, empty: OpenBlock): OpenBlock {
  const executed = loadExecuted(fields['transactions'], `${path}.transactions`)
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
  const full = { ...environment, blobBaseFee: blobBaseFee(rules.blobs, environment.excessBlobGas) }
  const { state } = parent.committed
  const open = loadPartials(fields, path, openBlockOn(rules, parent, full, state))
  return { ...open, state: loadChanges(fields['after'], `${path}.after`, state) }
}
