// Call bundles (EIP-5792): one transaction for each call. If one is refused, none is submitted.

import { Steps, type Transition } from '../../node/events.ts'
import { findTransaction, requireBlock } from '../../node/lookup.ts'
import type { NodeState } from '../../node/node-state.ts'
import { submitTransaction } from '../../node/production/submit.ts'
import { failure } from '../../primitives/errors.ts'
import { type Hash, toQuantity } from '../../primitives/hex.ts'
import { describe } from '../../primitives/text-of.ts'
import type { TransactionRequest } from '../codecs/transaction-request.ts'
import type { WalletBundle } from '../codecs/wallet.ts'
import { formatReceipt } from '../format/receipt.ts'
import { readContext, type Session } from '../session.ts'
import { fillAndSign, fillTransaction, requestSender } from './fill-transaction.ts'

/** A later call that names no gas gets at least 1/20 of the block gas limit. */
const GAS_LIMIT_DIVISOR = 20n

/** Sets the gas of a later call. An estimate cannot see the effects of the earlier calls, so there is a minimum. */
async function withGas(
  session: Session,
  state: NodeState,
  request: TransactionRequest,
): Promise<TransactionRequest> {
  // The estimate may fail because the earlier calls have not run yet.
  const context = { ...readContext(session, state), tellConsole: () => {} }
  const sender = requestSender(context, request)
  if (request.gas !== undefined || sender === undefined) return request
  const least = requireBlock(context.config, state, 'pending').environment.gasLimit / GAS_LIMIT_DIVISOR
  const estimated = await fillTransaction(context, sender, request).then(
    ({ gasLimit }) => gasLimit,
    () => 0n,
  )
  return { ...request, gas: estimated > least ? estimated : least }
}

/** Submits a transaction for each call, in order. If one is refused, none is submitted. */
export async function submitBundle(
  session: Session,
  state: NodeState,
  { from, calls }: WalletBundle,
): Promise<Transition<readonly Hash[]>> {
  const { config } = session.node
  const steps = new Steps(state)
  const hashes: Hash[] = []
  for (const call of calls) {
    const own = { ...call, from: from ?? call.from }
    const request = hashes.length === 0 ? own : await withGas(session, steps.state, own)
    const transaction = await fillAndSign(readContext(session, steps.state), request)
    steps.add(await submitTransaction(config, steps.state, transaction))
    hashes.push(transaction.hash)
  }
  return steps.finish(hashes)
}

/** An id in an error message: in full up to the length of our own ids. */
export function showId(id: string): string {
  return id.length <= 66 ? id : describe(id)
}

/** The id that the application names, or a new one. Throws `duplicateBundle` if the id is taken. */
export function nameBundle({ bundles }: Session, asked: string | undefined): string {
  if (asked !== undefined) {
    if (bundles.has(asked)) throw failure('duplicateBundle', { id: showId(asked) })
    return asked
  }
  let number = bundles.size
  let id: string
  do {
    number++
    id = `0x${number.toString(16).padStart(64, '0')}`
  } while (bundles.has(id))
  return id
}

/** EIP-5792: 100 pending, 200 confirmed, 400 not included for good, 500 reverted completely, 600 in part. */
function statusOf(outcomes: readonly (0 | 1 | 'pooled' | 'gone')[]): number {
  if (outcomes.includes('gone')) return 400
  if (outcomes.includes('pooled')) return 100
  if (!outcomes.includes(0)) return 200
  return outcomes.includes(1) ? 600 : 500
}

/** The status of a bundle in the shape of wallet_getCallsStatus. */
export function describeBundle(session: Session, state: NodeState, id: string) {
  const hashes = session.bundles.get(id)
  if (hashes === undefined) throw failure('unknownBundle', { id: showId(id) })
  const { present } = readContext(session, state)
  const found = hashes.map((hash) => findTransaction(state, hash))
  const outcomes = found.map((each) => {
    if (each === undefined) return 'gone'
    return 'executed' in each ? each.executed.receipt.status : 'pooled'
  })
  const included = found.filter((each) => each !== undefined && 'executed' in each)
  return {
    version: '2.0.0',
    id,
    chainId: toQuantity(state.settings.chainId),
    status: statusOf(outcomes),
    atomic: false,
    receipts: included.map(({ view, executed }) => formatReceipt(present(view), executed)),
  }
}
