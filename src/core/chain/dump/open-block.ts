// The open block in a state dump. Format: docs/state-format.md.

import { blobGasOf, bloomOf, type ExecutedTransaction } from '../../execution/transaction/transaction.ts'
import { dumpField, FIELD_KINDS } from '../../primitives/fields.ts'
import { malformed, readAmount, readArray, readInteger, readObject } from '../../primitives/json-reader.ts'
import { LATEST_TIMESTAMP } from '../../primitives/numbers.ts'
import * as headers from '../../rollup/header.ts'
import { type EncodedHeader, headerField } from '../../rollup/header.ts'
import type { Rules } from '../../rollup/rules.ts'
import type { Schedule } from '../../rollup/schedule.ts'
import { addPartial, type OpenBlock, openBlock, type SealedBlock } from '../block/block.ts'
import { builtDifficulty } from '../block/execute-block.ts'
import { dumpChanges, loadChanges } from './accounts.ts'
import { checkExcess, dumpExecuted, loadExecuted } from './header.ts'

/** The fields that do not follow from the parent, in the order of the dump. */
const DUMPED = [
  ...(['timestamp', 'coinbase', 'gasLimit', 'baseFeePerGas', 'prevRandao', 'extraData'] as const),
  ...(['parentBeaconBlockRoot', 'excessBlobGas'] as const),
]

/** The open block as JSON, with the new values (`after`) of the accounts that it changed. */
export function dumpOpenBlock({ environment, partials, executed, parent, state }: OpenBlock): string {
  const fields = {
    ...Object.fromEntries(DUMPED.map((name) => [name, dumpField(headerField(name).kind, environment[name])])),
    partials: partials.map(({ index, executed: { length } }) => ({ index, length })),
    transactions: executed.map(dumpExecuted),
  }
  const after = dumpChanges(parent.committed.state, state)
  return `${JSON.stringify(fields).slice(0, -1)},"after":${after}}`
}

function loadEnvironment(fields: Record<string, unknown>, path: string, parent: SealedBlock): EncodedHeader {
  const readField = (name: headers.HeaderName): unknown => {
    const [value, at] = [fields[name], `${path}.${name}`]
    if (name === 'timestamp') return readInteger(value, at, LATEST_TIMESTAMP)
    if (name === 'gasLimit') return readAmount(value, at, 63)
    if (name === 'excessBlobGas') return readAmount(value, at, 64)
    return FIELD_KINDS[headerField(name).kind].fromDump(value, at)
  }
  const given: Partial<headers.Header> = { number: parent.header.number + 1, parentHash: parent.hash }
  const header = headers.makeHeader((name) =>
    (DUMPED as headers.HeaderName[]).includes(name) ? readField(name) : given[name],
  )
  if (header.timestamp < parent.header.timestamp)
    malformed(`${path}.timestamp`, 'a time that is not before the parent')
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
    ...headers.completeHeader(rules, environment),
    difficulty: builtDifficulty(schedule, rules, parent, environment.timestamp),
  }
  const open = loadPartials(fields, path, openBlock(rules, parent, full))
  return { ...open, state: loadChanges(fields['after'], `${path}.after`, parent.committed.state) }
}
