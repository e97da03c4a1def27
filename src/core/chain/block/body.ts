// Block body besides transactions: uncles, withdrawals, requests. The chain's own blocks have none.

import type { Transaction } from '../../execution/transaction/transaction.ts'
import { keccak256Hex, sha256 } from '../../primitives/crypto.ts'
import { dumpFields, type ValuesOf } from '../../primitives/fields.ts'
import { bytesToHex, concatBytes, type Hash, type Hex } from '../../primitives/hex.ts'
import { encodeBytes, encodeItems, encodeList } from '../../primitives/rlp.ts'
import { encodeHeader, type Header, ZERO_NONCE } from '../../rollup/header.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { listRoot } from '../../state/trie.ts'

/** The fields of an EIP-4895 withdrawal, in the order of its RLP; the amount is in gwei. */
export const WITHDRAWAL_FIELDS = {
  index: { kind: 'gas' },
  validatorIndex: { kind: 'gas' },
  address: { kind: 'address' },
  amount: { kind: 'gas' },
} as const

export type Withdrawal = ValuesOf<typeof WITHDRAWAL_FIELDS>

export function formatWithdrawal(withdrawal: Withdrawal) {
  return dumpFields(WITHDRAWAL_FIELDS, withdrawal) as Record<keyof Withdrawal, Hex>
}

export interface Uncle {
  readonly rules: Rules
  readonly header: Header
}

export interface BlockBody {
  readonly nonce: Hex
  readonly uncles: readonly Uncle[]
  readonly withdrawals: readonly Withdrawal[]
  /** Execution requests, each with its type byte first (EIP-7685). */
  readonly requests: readonly Uint8Array[]
}

export const EMPTY_BODY: BlockBody = { nonce: ZERO_NONCE, uncles: [], withdrawals: [], requests: [] }

/** Hardhat's nonce of every block before the merge. */
export const WORK_NONCE: Hex = '0x0000000000000042'

const EMPTY_BODY_WITH_WORK: BlockBody = { ...EMPTY_BODY, nonce: WORK_NONCE }

export function emptyBodyOf({ difficulty }: { readonly difficulty: bigint }): BlockBody {
  return difficulty === 0n ? EMPTY_BODY : EMPTY_BODY_WITH_WORK
}

function encodeUncles(uncles: readonly Uncle[]): Uint8Array {
  return encodeList(uncles.map(({ rules, header }) => encodeHeader(rules, header)))
}

export function hashUncles(uncles: readonly Uncle[]): Hash {
  return keccak256Hex(encodeUncles(uncles))
}

function encodeWithdrawal({ index, validatorIndex, address, amount }: Withdrawal): Uint8Array {
  return encodeItems([index, validatorIndex, address, amount])
}

/** The header's commitments to a body. */
function commitToBody({ uncles, withdrawals, requests }: BlockBody) {
  return {
    unclesHash: hashUncles(uncles),
    withdrawalsRoot: bytesToHex(listRoot(withdrawals.map(encodeWithdrawal))),
    requestsHash: bytesToHex(sha256(concatBytes(...requests.map(sha256)))),
  }
}

/** Cached commitments of the empty body, which almost every block has. */
let emptyCommitments: ReturnType<typeof commitToBody> | undefined

export function bodyCommitments(body: BlockBody): ReturnType<typeof commitToBody> {
  if (body !== EMPTY_BODY && body !== EMPTY_BODY_WITH_WORK) return commitToBody(body)
  emptyCommitments ??= commitToBody(EMPTY_BODY)
  return emptyCommitments
}

/** The RLP of a block: header, transactions, uncles and, from shanghai on, withdrawals. */
export function encodeBlock(
  rules: Rules,
  header: Header,
  body: BlockBody,
  transactions: readonly Pick<Transaction, 'type' | 'raw'>[],
): Uint8Array {
  // In a block body a typed transaction is a byte string, a legacy one a list.
  const encoded = transactions.map(({ type, raw }) => (type === 0 ? raw : encodeBytes(raw)))
  return encodeList([
    encodeHeader(rules, header),
    encodeList(encoded),
    encodeUncles(body.uncles),
    ...(isForkActive(rules, 'shanghai') ? [encodeList(body.withdrawals.map(encodeWithdrawal))] : []),
  ])
}
