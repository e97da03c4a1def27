// The chains of a test, as the markup of its report, with what it says of them. Loaded in a worker when the first test is
// reported.

import { fullBlocksFromHead } from '../../../core/chain/chain.ts'
import type { BlockView } from '../../../core/chain/view.ts'
import { internalsOf } from '../../../core/emulator/internals.ts'
import type { ExecutedTransaction } from '../../../core/execution/transaction/receipt.ts'
import type { Transaction } from '../../../core/execution/transaction/transaction.ts'
import { blockBeingBuilt, pendingWorld } from '../../../core/node/node-state.ts'
import { toChecksumAddress } from '../../../core/primitives/address.ts'
import { traceOf } from '../../../core/primitives/callers.ts'
import { type Address, bytesToHex, type Hash } from '../../../core/primitives/hex.ts'
import { reasonOf } from '../../../core/primitives/text-of.ts'
import { readContext, type Session } from '../../../core/rpc/session.ts'
import { readAccount } from '../../../core/state/world-state.ts'
import { namesIn } from '../../solidity/calls/accounts.ts'
import { abiTablesOf, contractIndexOf, recogniseDeployed } from '../../solidity/model/contract-index.ts'
import { element, type Markup } from '../../view/html.ts'
import {
  type AccountFacts,
  type BlockFacts,
  type ChainFacts,
  chainSection,
  type FailureFacts,
  type TransactionFacts,
} from '../../view/report/chain-section.ts'
import { findFailure, type TestError } from '../failure-trace.ts'
import { timelineOf } from '../timeline.ts'
import { recordsOf } from './running-chains.ts'

const MOST_BLOCKS = 10
const MOST_POOLED = 50
const MOST_ACCOUNTS = 50
/** The most blocks to search for a transaction that failed. */
const MOST_SEARCHED = 64

/** Names of accounts, and which ones were asked for. */
interface Naming {
  readonly nameOf: (address: Address) => string | undefined
  readonly seen: Set<Address>
}

function namingIn(session: Session): Naming {
  const { node, known } = session
  const given = namesIn(readContext(session, node.state))
  const contracts = contractIndexOf(known)
  const world = pendingWorld(node.state)
  const nameOf = (address: Address): string | undefined =>
    given(address) ??
    known.natives?.at(address)?.name ??
    (contracts && recogniseDeployed(contracts, readAccount(world, address).code.bytes)?.name)
  return { nameOf, seen: new Set() }
}

function accountText({ nameOf, seen }: Naming, address: Address): string {
  seen.add(address)
  return nameOf(address) ?? toChecksumAddress(address)
}

function calledBy({ known }: Session, { to, input }: Transaction): string {
  if (to === undefined || input.length === 0) return ''
  const selector = bytesToHex(input.subarray(0, 4))
  const contracts = contractIndexOf(known)
  const declared = contracts && abiTablesOf(contracts).functions.get(selector)
  return declared?.name ?? selector
}

function transactionFacts(
  session: Session,
  naming: Naming,
  transaction: Transaction,
  executed: ExecutedTransaction | undefined,
): TransactionFacts {
  const { hash, sender, to, value, nonce } = transaction
  const created = executed?.receipt.contractAddress
  if (created !== undefined) naming.seen.add(created)
  return {
    ...{ hash, value, nonce, called: calledBy(session, transaction) },
    from: accountText(naming, sender),
    to: to === undefined ? undefined : accountText(naming, to),
    gasUsed: executed?.receipt.gasUsed,
    failure: executed?.failure,
  }
}

type FoundBlock = Omit<BlockFacts, 'transactions'> & Pick<BlockView, 'executed'>

/** The blocks with transactions, newest first. */
function* blocksOf({ node: { state } }: Session): Generator<FoundBlock> {
  const open = blockBeingBuilt(state)
  if (open !== undefined) {
    const { number, timestamp } = open.environment
    yield { number, hash: undefined, timestamp, executed: open.executed }
  }
  for (const { header, hash, executed } of fullBlocksFromHead(state.chain)) {
    if (executed.length > 0) yield { number: header.number, timestamp: header.timestamp, hash, executed }
  }
}

function lastBlocks(session: Session, naming: Naming): BlockFacts[] {
  const blocks: BlockFacts[] = []
  for (const { number, hash, timestamp, executed } of blocksOf(session)) {
    if (blocks.length === MOST_BLOCKS) break
    const transactions = executed.map((each) => transactionFacts(session, naming, each.transaction, each))
    blocks.push({ number, hash, timestamp, transactions })
  }
  return blocks
}

/** The transactions that failed in the last blocks, oldest first. */
function failedTransactions(session: Session): Hash[] {
  const failed: Hash[] = []
  let searched = 0
  for (const { executed } of blocksOf(session)) {
    if (searched++ === MOST_SEARCHED) break
    for (const { failure, transaction } of [...executed].reverse()) {
      if (failure !== undefined) failed.unshift(transaction.hash)
    }
  }
  return failed
}

function accountFacts({ node, known }: Session, { nameOf, seen }: Naming): AccountFacts[] {
  const world = pendingWorld(node.state)
  const addresses = new Set([...known.labels.keys(), ...seen])
  return [...addresses].slice(0, MOST_ACCOUNTS).map((address) => {
    const { balance, nonce, code } = readAccount(world, address)
    const hasCode = code.bytes.length > 0
    return { name: nameOf(address), address: toChecksumAddress(address), balance, nonce, hasCode }
  })
}

async function failureFacts(
  session: Session,
  errors: readonly TestError[],
  failed: readonly Hash[],
): Promise<FailureFacts | undefined> {
  const found = await findFailure(session, errors, failed)
  if (found === undefined) return undefined
  const { kind, error } = found
  const lines = traceOf(error).lines.map((line) => line.trim())
  // A trace needs the state before, which a chain may have dropped; the rest of the page does not.
  const trace = await found.trace().catch((cause: unknown) => `There is no trace: ${reasonOf(cause)}`)
  return { kind, message: error.message, lines, trace }
}

/** Gathers the facts of a chain of a test that failed with these errors. */
async function gatherChain(chain: object, title: string, errors: readonly TestError[]): Promise<ChainFacts> {
  const { session } = internalsOf('gatherChain', chain)
  const records = recordsOf(chain)
  const { state } = session.node
  const failed = records?.failures.failed() ?? failedTransactions(session)
  const failure = await failureFacts(session, errors, failed)
  const naming = namingIn(session)
  const blocks = lastBlocks(session, naming)
  const pooled = [...state.pool.byHash.values()].slice(0, MOST_POOLED)
  const pool = pooled.map(({ transaction }) => transactionFacts(session, naming, transaction, undefined))
  const head = state.chain.head.header.number
  const recorded = records?.timeline ?? timelineOf(chain)
  const timeline = await recorded?.toHTML({ title: `Timeline of ${title}` }).then(
    (html) => ({ html }),
    (cause: unknown) => `It cannot be drawn: ${reasonOf(cause)}`,
  )
  return { title, failure, timeline, blocks, head, pool, accounts: accountFacts(session, naming) }
}

function titleOf(chain: object): string {
  const { state } = internalsOf('titleOf', chain).session.node
  return `Chain ${state.settings.chainId}${state.rollup === undefined ? '' : ', a layer 2'}`
}

const MOST_CHAINS = 6

function notice(text: string): Markup {
  return element('p', { class: 'notice' }, text)
}

/** The section of a chain, or why there is none. */
async function sectionOf(
  chain: object,
  id: string,
  title: string,
  errors: readonly TestError[],
): Promise<Markup> {
  try {
    return chainSection(await gatherChain(chain, title, errors), id)
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : `${error}`
    return notice(`${title} could not be shown: ${reason}`)
  }
}

/** The sections of chains, in the order in which they were made; those with the same title are counted. */
export async function reportChains(chains: readonly object[], errors: readonly TestError[]): Promise<string> {
  const titles = new Map<string, number>()
  const sections: Markup[] = []
  for (const [index, chain] of chains.slice(0, MOST_CHAINS).entries()) {
    const title = titleOf(chain)
    const before = titles.get(title) ?? 0
    titles.set(title, before + 1)
    const counted = before === 0 ? title : `${title}, number ${before + 1}`
    sections.push(await sectionOf(chain, `chain-${index + 1}`, counted, errors))
  }
  const more = chains.length - MOST_CHAINS
  if (more > 0) sections.push(notice(`${more} more chains of this test are left out.`))
  return sections.map(({ markup }) => markup).join('\n')
}
