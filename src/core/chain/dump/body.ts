// Block bodies in a state dump, besides transactions.

import { bytesToHex, hexToBytes } from '../../primitives/hex.ts'
import {
  malformed,
  readAddressField,
  readAmount,
  readEach,
  readHex,
  readObject,
} from '../../primitives/json-reader.ts'
import { encodeHeader } from '../../rollup/header.ts'
import { isForkActive } from '../../rollup/rules.ts'
import type { Schedule } from '../../rollup/schedule.ts'
import {
  type BlockBody,
  bodyCommitments,
  EMPTY_BODY,
  formatWithdrawal,
  type Uncle,
  type Withdrawal,
} from '../block/body.ts'
import { loadHeader } from './header.ts'

function loadWithdrawal(value: unknown, path: string): Withdrawal {
  const { index, validatorIndex, address, amount } = readObject(value, path)
  return {
    index: readAmount(index, `${path}.index`, 64),
    validatorIndex: readAmount(validatorIndex, `${path}.validatorIndex`, 64),
    address: readAddressField(address, `${path}.address`),
    amount: readAmount(amount, `${path}.amount`, 64),
  }
}

/** No fields if the body is empty. */
export function dumpBody({ uncles, withdrawals, requests }: BlockBody) {
  if (uncles.length + withdrawals.length + requests.length === 0) return {}
  return {
    uncles: uncles.map((uncle) => bytesToHex(encodeHeader(uncle.rules, uncle.header))),
    withdrawals: withdrawals.map(formatWithdrawal),
    requests: requests.map(bytesToHex),
  }
}

/** A body has to be the one that its header commits to. */
function checkCommitments({ rules, header }: Uncle, body: BlockBody, isEmpty: boolean, path: string): void {
  const committed = bodyCommitments(isEmpty ? EMPTY_BODY : body)
  // From isthmus on, the header's root is not that of the list, which is empty.
  const hasList = isForkActive(rules, 'shanghai') && rules.rollup?.changes.withdrawalsFrom === undefined
  const hasWithdrawals = hasList
    ? header.withdrawalsRoot === committed.withdrawalsRoot
    : body.withdrawals.length === 0
  const hasRequests = isForkActive(rules, 'prague')
    ? header.requestsHash === committed.requestsHash
    : body.requests.length === 0
  if (header.unclesHash !== committed.unclesHash) malformed(`${path}.uncles`, 'those of the header')
  if (!hasWithdrawals) malformed(`${path}.withdrawals`, 'those of the header')
  if (!hasRequests) malformed(`${path}.requests`, 'those of the header')
}

/** Reads the body of the block with a header, besides its transactions. */
export function loadBody(
  schedule: Schedule,
  fields: Record<string, unknown>,
  path: string,
  block: Uncle,
): BlockBody {
  const { nonce } = block.header
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
  const isEmpty = uncles.length + withdrawals.length + requests.length === 0
  checkCommitments(block, body, isEmpty, path)
  return isEmpty && nonce === EMPTY_BODY.nonce ? EMPTY_BODY : body
}
