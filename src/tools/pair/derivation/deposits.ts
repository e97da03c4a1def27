// Deposits of users: the logs of OptimismPortal as deposit transactions (OP specs, Deposits, "Address Aliasing" and
// "Deposit Contract").

import type { ExecutedTransaction, Log } from '../../../core/execution/transaction/receipt.ts'
import { keccak256Hex } from '../../../core/primitives/crypto.ts'
import {
  type Address,
  bytesToBigInt,
  type Hash,
  utf8ToBytes,
  ZERO_HASH,
} from '../../../core/primitives/hex.ts'
import { type Deposit, userSourceHash } from '../../../core/rollup/deposit.ts'
import { abiBytes } from './abi-bytes.ts'

/** The packed part before the data: mint and value of 32 bytes, a gas limit of 8, and whether a contract is created. */
const MINT = 0
const VALUE = 32
const GAS_LIMIT = 64
const IS_CREATION = 72
const DATA = 73

let topic: Hash | undefined

function depositTopic(): Hash {
  topic ??= keccak256Hex(utf8ToBytes('TransactionDeposited(address,address,uint256,bytes)'))
  return topic
}

function addressOf(word: Hash): Address {
  return `0x${word.slice(-40)}`
}

/** The deposit that a log of the portal stands for; `undefined` for other logs, and for other versions than 0. */
export function depositOf(log: Log, l1BlockHash: Hash, logIndex: number): Deposit | undefined {
  const [event, from, to, version] = log.topics
  if (event !== depositTopic() || from === undefined || to === undefined || version !== ZERO_HASH) {
    return undefined
  }
  const packed = abiBytes(log.data)
  if (packed === undefined || packed.length < DATA) return undefined
  const number = (start: number, end: number): bigint => bytesToBigInt(packed.subarray(start, end))
  return {
    sourceHash: userSourceHash(l1BlockHash, logIndex),
    from: addressOf(from),
    to: packed[IS_CREATION] === 0 ? addressOf(to) : undefined,
    mint: number(MINT, VALUE),
    value: number(VALUE, GAS_LIMIT),
    gasLimit: number(GAS_LIMIT, IS_CREATION),
    isSystem: false,
    data: packed.slice(DATA),
  }
}

/** The deposits in the logs of an L1 block, in their order; logs of failed transactions do not exist. */
export function depositsIn(
  executed: readonly ExecutedTransaction[],
  l1BlockHash: Hash,
  portal: Address,
): readonly Deposit[] {
  return executed.flatMap(({ receipt, firstLogIndex }) =>
    receipt.logs.flatMap((log, index) => {
      const deposit = log.address === portal ? depositOf(log, l1BlockHash, firstLogIndex + index) : undefined
      return deposit === undefined ? [] : [deposit]
    }),
  )
}
