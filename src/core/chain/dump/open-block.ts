// The open block in a state dump. Format: docs/state-format.md.

import type { BlockEnvironment } from '../../execution/evm/environment.ts'
import { bloomOf } from '../../execution/transaction/bloom.ts'
import type { ExecutedTransaction } from '../../execution/transaction/receipt.ts'
import { blobGasOf } from '../../execution/transaction/transaction.ts'
import { bytesToHex, hexToBytes, toQuantity } from '../../primitives/hex.ts'
import {
  malformed,
  readAddress,
  readAmount,
  readArray,
  readHash,
  readHex,
  readInteger,
  readObject,
} from '../../primitives/json-reader.ts'
import { LATEST_TIMESTAMP } from '../../primitives/numbers.ts'
import { blobBaseFee } from '../../rollup/blobs.ts'
import { isOpForkActive } from '../../rollup/op/forks.ts'
import type { Rules } from '../../rollup/rules.ts'
import type { Schedule } from '../../rollup/schedule.ts'
import { addPartial, type OpenBlock, openBlock, type SealedBlock } from '../block/block.ts'
import { builtDifficulty } from '../block/next-environment.ts'
import { dumpChanges, loadChanges } from './accounts.ts'
import { checkExcess } from './header.ts'
import { dumpExecuted, loadExecuted } from './transaction.ts'

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
  const after = dumpChanges(parent.committed.state, state)
  return `${JSON.stringify(fields).slice(0, -1)},"after":${after}}`
}

function loadEnvironment(
  fields: Record<string, unknown>,
  path: string,
  parent: SealedBlock,
): Omit<BlockEnvironment, 'blobBaseFee' | 'difficulty'> {
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
  }
}

/**
 * What follows from the logs and the transaction is computed, as for the transactions of archived blocks. The blob gas
 * of jovian follows from the state, too, and is taken from the dump.
 */
function withComputedFields(rules: Rules, executed: ExecutedTransaction): ExecutedTransaction {
  const { transaction, receipt } = executed
  const blobGasUsed = isOpForkActive(rules, 'jovian') ? receipt.blobGasUsed : blobGasOf(transaction)
  return { ...executed, receipt: { ...receipt, blobGasUsed, logsBloom: bloomOf(receipt.logs) } }
}

/** Divides the transactions into their partial blocks again. */
function loadPartials(fields: Record<string, unknown>, path: string, empty: OpenBlock): OpenBlock {
  const executed = loadExecuted(fields['transactions'], `${path}.transactions`).map((each) =>
    withComputedFields(empty.rules, each),
  )
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
  schedule: Schedule,
  value: unknown,
  path: string,
  parent: SealedBlock,
): OpenBlock {
  const fields = readObject(value, path)
  const environment = loadEnvironment(fields, path, parent)
  const rules = schedule.rulesAt({ ...environment, difficulty: 0n })
  checkExcess(rules, environment.excessBlobGas, `${path}.excessBlobGas`)
  const full = {
    ...environment,
    blobBaseFee: blobBaseFee(rules.blobs, environment.excessBlobGas),
    difficulty: builtDifficulty(schedule, rules, parent, environment.timestamp),
  }
  const open = loadPartials(fields, path, openBlock(rules, parent, full))
  return { ...open, state: loadChanges(fields['after'], `${path}.after`, parent.committed.state) }
}
