// The change of a balance by one transaction alone. The block is run again up to that transaction.

import { type OpenBlock, openBlock } from '../chain/block/block.ts'
import { blockAt } from '../chain/chain.ts'
import { type QueryContext, queryNumber } from '../execution/call/find-slot.ts'
import type { ExecutedTransaction } from '../execution/transaction/receipt.ts'
import { failure, type TickchainError } from '../primitives/errors.ts'
import { type Address, concatBytes, type Hash, hexToBytes, padLeft, ZERO_ADDRESS } from '../primitives/hex.ts'
import { readAccount } from '../state/world-state.ts'
import { queryContextAt } from './control/tokens.ts'
import { type FoundTransaction, findTransaction } from './lookup.ts'
import { currentOpenBlock, type NodeConfig, type NodeState } from './node-state.ts'
import { rerun } from './production/rerun.ts'

/** A balance in ether or in an ERC-20 token. */
export interface BalanceOf {
  readonly account: Address
  readonly token: Address | undefined
}

export interface BalanceChange {
  readonly change: bigint
  /** What the account paid for gas; zero if it is not the sender, or for a token. */
  readonly fee: bigint
}

type Included = Exclude<FoundTransaction, { readonly pooled: unknown }>

/** The parts of a receipt that do not depend on earlier transactions of the block. */
function outcomeOf({ receipt, failure: reason }: ExecutedTransaction): string {
  const { status, gasUsed, logs } = receipt
  return JSON.stringify([
    status,
    `${gasUsed}`,
    reason,
    logs.map((log) => [log.address, ...log.topics, `${log.data}`]),
  ])
}

/** The block of a transaction just before and just after it; throws `notRepeatable`. */
async function blocksAround(
  config: NodeConfig,
  state: NodeState,
  { view, executed }: Included,
): Promise<{ readonly before: OpenBlock; readonly after: OpenBlock }> {
  const { hash } = executed.transaction
  const { environment, rules } = view
  const parent = view.isPending ? state.chain.open?.parent : blockAt(state.chain, environment.number - 1)
  if (parent === undefined) throw failure('notRepeatable', { hash })
  const run = (start: OpenBlock, transactions: readonly ExecutedTransaction[]) =>
    rerun(config, state, start, [{ index: 1, transactions: transactions.map((it) => it.transaction) }])
  const previous = view.executed.slice(0, executed.index)
  const { open: before } = await run(openBlock(rules, parent, environment), previous)
  const { open: after } = await run(before, [executed])
  // A transaction that can no longer run is missing.
  const isRepeated = [...previous, executed].every((original, index) => {
    const again = after.executed[index]
    return again !== undefined && outcomeOf(again) === outcomeOf(original)
  })
  if (!isRepeated) throw failure('notRepeatable', { hash })
  return { before, after }
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

/** A balance in a block being built; `undefined` if the token has no code. */
async function balanceIn(
  config: NodeConfig,
  state: NodeState,
  open: OpenBlock,
  { account, token }: BalanceOf,
): Promise<bigint | undefined> {
  if (token === undefined) return readAccount(open.state, account).balance
  const isThere = readAccount(open.state, token).code.bytes.length > 0
  return isThere ? tokenBalance(queryContextAt(config, state, open), account, token) : undefined
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

/**
 * The change of a balance by a transaction; `undefined` if it is in no block. Throws `tokenNotReadable`, and
 * `notRepeatable` if edits of accounts keep the transaction from running as it did.
 */
export async function balanceChange(
  config: NodeConfig,
  state: NodeState,
  hash: Hash,
  of: BalanceOf,
): Promise<BalanceChange | undefined> {
  const found = findTransaction(state, hash)
  if (found === undefined || 'pooled' in found) return undefined
  const { transaction, receipt } = found.executed
  const { before, after } = await blocksAround(config, state, found)
  const earlier = await balanceIn(config, state, before, of)
  const later = await balanceIn(config, state, after, of)
  const isPayer = of.token === undefined && transaction.sender === of.account
  const gas = receipt.gasUsed * receipt.effectiveGasPrice
  const fee = isPayer ? gas + receipt.blobGasUsed * found.view.environment.blobBaseFee : 0n
  return { change: differenceOf(earlier, later, of), fee }
}
