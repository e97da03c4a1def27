// Bundles of calls (EIP-5792): one transaction for each call, taken all together or not at all.

import { Steps, type Transition } from '../../node/events.ts'
import { findTransaction, requireBlock } from '../../node/lookup.ts'
import type { NodeState } from '../../node/node-state.ts'
import { submitTransaction } from '../../node/production/submit.ts'
import { failure } from '../../primitives/errors.ts'
import { type Hash, toQuantity } from '../../primitives/hex.ts'
import { describe } from '../codecs/codec.ts'
import type { TransactionRequest } from '../codecs/transaction-request.ts'
import type { CallBundle } from '../codecs/wallet.ts'
import { formatReceipt } from '../format/receipt.ts'
import { readContext, type Session } from '../session.ts'
import { fillAndSign, fillTransaction, senderOf } from './fill-transaction.ts'

/** A part of the block that a later call of a bundle may use at least, if it names no gas. */
const ROOM = 20n

/** What a later call needs depends on those before it, which an estimate does not see. */
async function withRoom(
  session: Session,
  state: NodeState,
  request: TransactionRequest,
): Promise<TransactionRequest> {
  // A failure here is none: what comes before is not done yet.
  const context = { ...readContext(session, state), tellConsole: () => {} }
  const sender = senderOf(context, request)
  if (request.gas !== undefined || sender === undefined) return request
  const room = requireBlock(context.config, state, 'pending').environment.gasLimit / ROOM
  const estimated = await fillTransaction(context, sender, request).then(
    ({ gasLimit }) => gasLimit,
    () => 0n,
  )
  return { ...request, gas: estimated > room ? estimated : room }
}

/** Submits a transaction for each call, in their order; where one is refused, none is taken. */
export async function submitBundle(
  session: Session,
  state: NodeState,
  { from, calls }: CallBundle,
): Promise<Transition<readonly Hash[]>> {
  const { config } = session.node
  const steps = new Steps(state)
  const hashes: Hash[] = []
  for (const call of calls) {
    const own = { ...call, from: from ?? call.from }
    const request = hashes.length === 0 ? own : await withRoom(session, steps.state, own)
    const transaction = await fillAndSign(readContext(session, steps.state), request)
    steps.add(await submitTransaction(config, steps.state, transaction))
    hashes.push(transaction.hash)
  }
  return steps.finish(hashes)
}

/** An id as an error shows it: in full, if it could be one that was made here. */
export function showId(id: string): string {
  return id.length <= 66 ? id : describe(id)
}

/** A new id, unless the application brings one of its own that is free. */
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

/** What has become of a bundle, as wallet_getCallsStatus tells it. */
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
