// The change of a balance by one transaction alone, which is run again.

import type { BlockView } from '../chain/view.ts'
import { type QueryContext, queryNumber } from '../execution/call/find-slot.ts'
import type { Receipt } from '../execution/transaction/receipt.ts'
import { rollupFeesOf } from '../execution/transaction/rollup-fees.ts'
import { blobGasOf, type Transaction } from '../execution/transaction/transaction.ts'
import { failure, type TickchainError } from '../primitives/errors.ts'
import { type Address, concatBytes, type Hash, hexToBytes, padLeft, ZERO_ADDRESS } from '../primitives/hex.ts'
import { readAccount, type WorldState } from '../state/world-state.ts'
import { type QueryPlace, queryContextAt } from './control/tokens.ts'
import { findTransaction } from './lookup.ts'
import { currentOpenBlock, type NodeConfig, type NodeState } from './node-state.ts'
import { type Replayed, replayTransactions } from './replay.ts'

/** A balance in ether or in an ERC-20 token. */
export interface BalanceOf {
  readonly account: Address
  readonly token: Address | undefined
}

export interface BalanceChange {
  readonly change: bigint
  /** The account's cost of gas; zero if it is not the sender, or for a token. */
  readonly fee: bigint
}

function unreadable(token: Address | undefined, reason: string): TickchainError {
  return failure('tokenNotReadable', { token: token ?? ZERO_ADDRESS, reason })
}

/** A balance in a token; throws `tokenNotReadable` if the answer is not a number. */
async function tokenBalance(place: QueryContext, account: Address, token: Address): Promise<bigint> {
  const input = concatBytes(hexToBytes('0x70a08231'), padLeft(hexToBytes(account), 32))
  const balance = await queryNumber(place, { contract: token, input })
  if (balance !== undefined) return balance
  throw unreadable(token, 'it does not answer balanceOf as ERC-20 says')
}

/** A balance at a place in a block; `undefined` if the token has no code. */
async function balanceIn(
  config: NodeConfig,
  state: NodeState,
  place: QueryPlace,
  { account, token }: BalanceOf,
): Promise<bigint | undefined> {
  if (token === undefined) return readAccount(place.state, account).balance
  const isThere = readAccount(place.state, token).code.bytes.length > 0
  return isThere ? tokenBalance(queryContextAt(config, state, place), account, token) : undefined
}

/** The change from zero if the token had no code before; throws `tokenNotReadable` if it has none now. */
export function differenceOf(before: bigint | undefined, after: bigint | undefined, of: BalanceOf): bigint {
  if (after === undefined) throw unreadable(of.token, 'there is no code at this address')
  return after - (before ?? 0n)
}

/** The pre-confirmed balance; `undefined` if the token has no code. Throws `tokenNotReadable`. */
export async function balanceNow(
  config: NodeConfig,
  state: NodeState,
  of: BalanceOf,
): Promise<bigint | undefined> {
  return balanceIn(config, state, currentOpenBlock(config, state), of)
}

/** Fees that the sender has paid: for gas, for blobs, and on a rollup for the layer 1. */
function feeOf(
  { rules, environment }: BlockView,
  before: WorldState,
  transaction: Transaction,
  { gasUsed, effectiveGasPrice }: Receipt,
): bigint {
  const fee = gasUsed * effectiveGasPrice + blobGasOf(transaction) * environment.blobBaseFee
  const rollup = rollupFeesOf(rules, before, transaction)
  return rollup === undefined ? fee : fee + rollup.l1 + rollup.operator(gasUsed)
}

/**
 * The change of a balance by a transaction; `undefined` if it is in no block. Throws `tokenNotReadable`,
 * `stateNotAvailable` if the state before the block is not kept, and `replayDiffers`.
 */
export async function balanceChange(
  config: NodeConfig,
  state: NodeState,
  hash: Hash,
  of: BalanceOf,
): Promise<BalanceChange | undefined> {
  const found = findTransaction(state, hash)
  if (found === undefined || 'pooled' in found) return undefined
  const { view, executed } = found
  const { index, transaction, receipt } = executed
  const { rules, environment } = view
  const [replayed] = await replayTransactions(config, state, view, { from: index, to: index + 1 })
  const { before, after } = replayed as Replayed
  const earlier = await balanceIn(config, state, { rules, environment, state: before }, of)
  const later = await balanceIn(config, state, { rules, environment, state: after }, of)
  const isPayer = of.token === undefined && transaction.sender === of.account
  const fee = isPayer ? feeOf(view, before, transaction, receipt) : 0n
  return { change: differenceOf(earlier, later, of), fee }
}
