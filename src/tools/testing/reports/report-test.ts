// The chains of a test as markup. Loaded in a worker when the first test is reported.

import { fullBlocksFromHead } from '../../../core/chain/chain.ts'
import { internalsOf } from '../../../core/emulator/internals.ts'
import type { ExecutedTransaction, Transaction } from '../../../core/execution/transaction/transaction.ts'
import { blockBeingBuilt, pendingWorld } from '../../../core/node/node-state.ts'
import { traceOf } from '../../../core/primitives/callers.ts'
import { toChecksumAddress } from '../../../core/primitives/crypto.ts'
import { type Address, bytesToHex, type Hash } from '../../../core/primitives/hex.ts'
import { reasonOf } from '../../../core/primitives/text-of.ts'
import type { CallTrace } from '../../../core/rpc/call-trace.ts'
import { readContext, type Session } from '../../../core/rpc/session.ts'
import { readAccount } from '../../../core/state/world-state.ts'
import { namesIn } from '../../solidity/calls/accounts.ts'
import { contractIndexOf, functionWith, recogniseDeployed } from '../../solidity/model/contract-index.ts'
import { type Cell, dataTable, element, type Markup } from '../../view/html.ts'
import { countText, etherText, groupDigits, shortEther, timeText } from '../../view/numbers.ts'
import type { FailureCause, TestFacts } from '../../view/report/test-page.ts'
import { timelineSection } from '../../view/timeline/page.ts'
import { traceSection, traceTitle } from '../../view/trace/trace-section.ts'
import { causeSentence, type FoundFailure, findFailure, type TestError } from '../failure-trace.ts'
import { type Timeline, timelineOf } from '../timeline.ts'
import { testActions } from './actions.ts'
import { recordsOf } from './running-chains.ts'

const MOST_BLOCKS = 10
const MOST_POOLED = 50
const MOST_ACCOUNTS = 50
/** The most blocks to search for a transaction that failed. */
const MOST_SEARCHED = 64

type Shown = ReturnType<typeof shownOf>

function shownOf(session: Session) {
  const { node, known } = session
  const given = namesIn(readContext(session, node.state))
  const contracts = contractIndexOf(known)
  const world = pendingWorld(node.state)
  const nameOf = (address: Address): string | undefined =>
    given(address) ??
    known.natives?.at(address)?.name ??
    (contracts && recogniseDeployed(contracts, readAccount(world, address).code.bytes)?.name)
  return { session, world, nameOf, seen: new Set<Address>() }
}

function accountText({ nameOf, seen }: Shown, address: Address): string {
  seen.add(address)
  return nameOf(address) ?? toChecksumAddress(address)
}

/** Wei as ether, in short; its digits are told on hover. */
const etherCell = (wei: bigint): Cell => ({ text: shortEther(wei, ' ETH'), title: `${etherText(wei)} ETH` })

function notice(text: string): Markup {
  return element('p', { class: 'notice' }, text)
}

/** The receiver of a transaction, and the function that it calls by its name, or the selector. */
function targetText(shown: Shown, { to, input }: Transaction): string {
  if (to === undefined) return 'creates a contract'
  const target = accountText(shown, to)
  if (input.length === 0) return target
  const selector = bytesToHex(input.subarray(0, 4))
  const contracts = contractIndexOf(shown.session.known)
  const declared = contracts && functionWith(contracts, selector)
  return `${target}.${declared?.name ?? selector}`
}

const TRANSACTION_COLUMNS = ['Transaction', 'From', 'To', 'Value']

function transactionCells(shown: Shown, transaction: Transaction): Cell[] {
  const { hash, sender, value } = transaction
  const from = accountText(shown, sender)
  // It leads to the transaction in the timeline.
  const short = element(
    'button',
    { type: 'button', class: 'link', 'data-hash': hash, title: hash },
    `${hash.slice(0, 10)}…`,
  )
  return [short, from, targetText(shown, transaction), value === 0n ? '' : etherCell(value)]
}

function executedCells(shown: Shown, { transaction, receipt, failure }: ExecutedTransaction): Cell[] {
  const { contractAddress, gasUsed } = receipt
  if (contractAddress !== undefined) shown.seen.add(contractAddress)
  const result =
    failure === undefined ? 'succeeded' : element('span', { class: 'error' }, `failed: ${failure}`)
  return [...transactionCells(shown, transaction), groupDigits(gasUsed), result]
}

interface FoundBlock {
  /** The number, and whether it is the block being built. */
  readonly name: string
  /** Seconds since the Unix epoch. */
  readonly timestamp: number
  readonly executed: readonly ExecutedTransaction[]
}

function* blocksOf({ node: { state } }: Session): Generator<FoundBlock> {
  const open = blockBeingBuilt(state)
  if (open !== undefined) {
    const { number, timestamp } = open.environment
    yield { name: `${groupDigits(number)} (being built)`, timestamp, executed: open.executed }
  }
  for (const { header, executed } of fullBlocksFromHead(state.chain)) {
    const { number, timestamp } = header
    if (executed.length > 0) yield { name: groupDigits(number), timestamp, executed }
  }
}

function blockRows(shown: Shown, { name, timestamp, executed }: FoundBlock): Cell[][] {
  const first: Cell[] = [name, { text: timeText(timestamp * 1000), title: `${timestamp}` }]
  if (executed.length === 0) return [[...first, '', '', '', '', '', '']]
  return executed.map((each, index) => [...(index === 0 ? first : ['', '']), ...executedCells(shown, each)])
}

function blocksTable(shown: Shown): Markup[] {
  const head = groupDigits(shown.session.node.state.chain.head.header.number)
  const told = element('p', `The head is block ${head}. Empty blocks are left out.`)
  const rows: Cell[][] = []
  let count = 0
  for (const block of blocksOf(shown.session)) {
    if (count++ === MOST_BLOCKS) break
    rows.push(...blockRows(shown, block))
  }
  const columns = ['Block', 'Timestamp', ...TRANSACTION_COLUMNS, 'Gas', 'Result']
  return rows.length === 0 ? [told] : [told, dataTable('Last blocks', columns, rows)]
}

function poolTable(shown: Shown): Markup[] {
  const pooled = [...shown.session.node.state.pool.byHash.values()].slice(0, MOST_POOLED)
  const heading = element('h3', `Pool (${countText(pooled.length, 'transaction')})`)
  if (pooled.length === 0) return [heading, element('p', 'Empty.')]
  const rows = pooled.map(({ transaction }) => [
    ...transactionCells(shown, transaction),
    `${transaction.nonce}`,
  ])
  return [heading, dataTable('Pool', [...TRANSACTION_COLUMNS, 'Nonce'], rows)]
}

/** Accounts with a label, and those that took part. */
function accountsTable({ session, world, nameOf, seen }: Shown): Markup {
  const addresses = [...new Set([...session.known.labels.keys(), ...seen])].slice(0, MOST_ACCOUNTS)
  if (addresses.length === 0) return element('p', 'None took part.')
  const rows = addresses.map((address) => {
    const { balance, nonce, code } = readAccount(world, address)
    const kind = code.bytes.length > 0 ? 'contract' : 'account'
    const shown = element('code', toChecksumAddress(address))
    return [nameOf(address) ?? '', shown, etherCell(balance), `${nonce}`, kind]
  })
  return dataTable('Accounts', ['Name', 'Address', 'Balance', 'Nonce', 'Kind'], rows)
}

/** The transactions that failed in the last blocks, oldest first. */
function failedTransactions(session: Session): Hash[] {
  const failed: Hash[] = []
  let searched = 0
  for (const { executed } of blocksOf(session)) {
    if (searched++ === MOST_SEARCHED) break
    for (const { failure, transaction } of [...executed].reverse())
      if (failure !== undefined) failed.unshift(transaction.hash)
  }
  return failed
}

/** A trace, or why there is none. */
type TraceOrReason = CallTrace | { readonly missing: string }

/** What failed on a chain: why, the lines of the Solidity stack trace, innermost function first, and the trace. */
function failureSection({ kind, error }: FoundFailure, traced: TraceOrReason, id: string): Markup[] {
  const title = kind === 'call' ? 'The call that failed' : 'The transaction that failed last'
  const lines = traceOf(error).lines.map((line) => line.trim())
  const stack = lines.length === 0 ? [] : [element('pre', { tabindex: 0 }, lines.join('\n'))]
  const shown =
    'missing' in traced
      ? notice(`There is no trace: ${traced.missing}`)
      : traceSection(traced, { id: `${id}-trace`, title: traceTitle(traced), level: 3 })
  return [element('h3', title), element('p', { class: 'error' }, error.message), ...stack, shown]
}

/** The timeline, with what failed marked: a transaction as the chosen one, a call as an event. */
function timelineOfChain(timeline: Timeline | undefined, chain: string, found: FoundFailure | undefined) {
  if (timeline === undefined) return []
  const { record } = timeline
  const { hash, atMs } = found ?? {}
  const [layer, ...others] = record.layers
  const failed = { type: 'fault', atMs: atMs ?? 0, words: 'the call that failed' } as const
  const layers =
    layer === undefined || atMs === undefined
      ? record.layers
      : [{ ...layer, events: [...layer.events, failed] }, ...others]
  return [
    timelineSection(
      { record: { ...record, layers }, problems: [] },
      { title: `Timeline of ${chain}`, level: 3, chosen: hash },
    ),
  ]
}

async function chainSection(
  chain: object,
  id: string,
  title: string,
  errors: readonly TestError[],
): Promise<{ readonly section: Markup; readonly cause?: FailureCause }> {
  const { session } = internalsOf('chainSection', chain)
  const records = recordsOf(chain)
  const failed = records?.failures.failed() ?? failedTransactions(session)
  const found = await findFailure(session, errors, failed)
  // A trace needs the state before, which a chain may have dropped; the rest of the page does not.
  const traced = await found?.trace(true).catch((cause: unknown) => ({ missing: reasonOf(cause) }))
  const shown = shownOf(session)
  const section = element(
    'section',
    { id },
    element('h2', title),
    timelineOfChain(records?.timeline ?? timelineOf(chain), title, found),
    found === undefined || traced === undefined
      ? element('p', 'No call or transaction failed here unexpectedly.')
      : failureSection(found, traced, id),
    element('h3', 'Last blocks'),
    blocksTable(shown),
    poolTable(shown),
    element('h3', 'Accounts'),
    accountsTable(shown),
  )
  if (found === undefined) return { section }
  const sentence = causeSentence(found, traced !== undefined && 'call' in traced ? traced : undefined)
  return { section, cause: { sentence, isQuoted: found.kind === 'call' } }
}

function titleOf(chain: object): string {
  const { state } = internalsOf('titleOf', chain).session.node
  return `Chain ${state.settings.chainId}${state.rollup === undefined ? '' : ', a layer 2'}`
}

const MOST_CHAINS = 6

/** The sections of chains, and the failure that the test's error quotes, or else the first. Actions are those of a file. */
export async function reportChains(
  chains: readonly object[],
  errors: readonly TestError[],
  file: string,
): Promise<Pick<TestFacts, 'cause' | 'chains' | 'actions'>> {
  const titles = new Map<string, number>()
  const sections: Markup[] = []
  const causes: FailureCause[] = []
  const shown = chains.slice(0, MOST_CHAINS).map((chain, index) => [`chain-${index + 1}`, chain] as const)
  for (const [id, chain] of shown) {
    const title = titleOf(chain)
    const before = titles.get(title) ?? 0
    titles.set(title, before + 1)
    const counted = before === 0 ? title : `${title}, number ${before + 1}`
    const made = chainSection(chain, id, counted, errors)
    const { section, cause } = await made.catch((error) => {
      const reason = error instanceof Error ? (error.stack ?? error.message) : `${error}`
      return { section: notice(`${counted} could not be shown: ${reason}`), cause: undefined }
    })
    sections.push(section)
    if (cause !== undefined) causes.push(cause)
  }
  const more = chains.length - MOST_CHAINS
  if (more > 0) sections.push(notice(`${more} more chains of this test are left out.`))
  const cause = causes.find(({ isQuoted }) => isQuoted) ?? causes[0]
  const actions = testActions(shown, file, errors)
  return { cause, actions, chains: sections.map(({ markup }) => markup).join('\n') }
}
