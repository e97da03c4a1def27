// A block: header, transactions.

import type { OrphanShape } from './memory.ts'
import * as ui from './parts.tsx'
import * as shapes from './shapes.ts'
import type { Ask } from './source.ts'
import { abbreviateHex, groupDigits, gweiText, timeText } from './text.ts'

async function singleReceipts(ask: Ask, transactions: readonly shapes.TransactionShape[]) {
  const method = 'eth_getTransactionReceipt'
  const answers = await Promise.all(transactions.map(({ hash }) => ask(method, [hash])))
  return answers.filter((each) => each !== null).map((each) => shapes.receiptOf(method, each))
}

/** The receipts of a block; together if the node can, since asking for single ones may count as waiting for them. */
export async function receiptsOf(ask: Ask, tag: string, transactions: readonly shapes.TransactionShape[]) {
  const method = 'eth_getBlockReceipts'
  let receipts: unknown
  try {
    receipts = await ask(method, [tag])
  } catch {
    // Public endpoints refuse it.
    return singleReceipts(ask, transactions)
  }
  if (!Array.isArray(receipts)) throw shapes.wrongShape(method, 'a list of receipts', receipts)
  return receipts.map((each) => shapes.receiptOf(method, each))
}

export async function failedIn(ask: Ask, tag: string, count: number): Promise<ReadonlySet<string>> {
  const receipts = count === 0 ? [] : await receiptsOf(ask, tag, [])
  return new Set(receipts.filter(({ isSuccess }) => !isSuccess).map((each) => each.transactionHash))
}

type BlockParts = NonNullable<Awaited<ReturnType<typeof findBlock>>>

async function findBlock(ask: Ask, tag: string) {
  const answer = await ask('eth_getBlockByNumber', [tag, true])
  if (answer === null) return undefined
  const block = shapes.readBlock(answer)
  const receipts = block.transactionCount === 0 ? [] : await receiptsOf(ask, tag, block.transactions)
  return { block, receipts: new Map(receipts.map((receipt) => [receipt.transactionHash, receipt])) }
}

function Outcome({ receipt }: { receipt: shapes.ReceiptShape | undefined }) {
  if (receipt === undefined) return <span class="muted">–</span>
  return receipt.isSuccess ? <span class="success">success</span> : <span class="failed">failed</span>
}

const HEADS = ['Transaction', 'From', 'To', 'Method', 'Ether', 'Gas used', 'Outcome']

function Transactions({ block, receipts }: BlockParts) {
  return (
    <ui.Table label="Transactions" heads={HEADS} none="No transactions.">
      {block.transactions.map((transaction) => {
        const receipt = receipts.get(transaction.hash)
        return (
          <tr key={transaction.hash}>
            {ui.transactionCells(transaction)}
            {ui.cells('amount', receipt === undefined ? '–' : groupDigits(receipt.gasUsed))}
            {ui.cells(undefined, <Outcome receipt={receipt} />)}
          </tr>
        )
      })}
    </ui.Table>
  )
}

export function OrphanLinks({ orphans }: { orphans: readonly OrphanShape[] }) {
  return (
    <ul class="orphans">
      {orphans.map(({ hash, number }) => (
        <li key={hash}>
          <ui.Badge kind="orphaned" />{' '}
          <ui.PlaceLink place={{ kind: 'orphan', hash }}>
            Block {groupDigits(number)} <code>{abbreviateHex(hash)}</code>
          </ui.PlaceLink>
        </li>
      ))}
    </ul>
  )
}

function Neighbours({ number }: { number: number }) {
  const { open, view } = ui.useStore()
  const { overview, orphans } = view()
  const go = (to: number, words: string) =>
    overview === undefined || to < overview.earliest || to > overview.pending.number ? undefined : (
      <ui.Button onClick={() => open({ kind: 'block', number: to })}>{words}</ui.Button>
    )
  return (
    <div class="neighbours">
      {go(number - 1, `← Block ${groupDigits(number - 1)}`)}
      {go(number + 1, `Block ${groupDigits(number + 1)} →`)}
      <OrphanLinks orphans={orphans.filter((each) => each.number === number)} />
    </div>
  )
}

function BlockBody({ block, receipts }: BlockParts) {
  return (
    <>
      <ui.FieldList
        rows={[
          ['Hash', block.hash === undefined ? '–' : <ui.Copyable text={block.hash} />],
          ['Parent', <code class="long">{block.parentHash}</code>],
          ['Time', `${timeText(block.timeMs)} (${block.timestamp})`],
          ['Gas used', `${groupDigits(block.gasUsed)} of ${groupDigits(block.gasLimit)}`],
          ['Base fee', block.baseFee === undefined ? '–' : gweiText(block.baseFee)],
          ['State root', <code class="long">{block.stateRoot}</code>],
          ['Tips to', <ui.AccountLink address={block.miner} />],
        ]}
      />
      <h3>Transactions</h3>
      <Transactions block={block} receipts={receipts} />
    </>
  )
}

export function BlockDetails({ number }: { number: number }) {
  const latest = ui.useStore().view().overview?.latest.number ?? number
  const tag = number > latest ? 'pending' : `0x${number.toString(16)}`
  const answer = ui.useAnswer(`block ${tag}`, (ask) => findBlock(ask, tag))
  return (
    <ui.Answered answer={answer}>
      {(found) =>
        found === undefined ? (
          <p>There is no block {number}.</p>
        ) : (
          <>
            <Neighbours number={number} />
            <BlockBody {...found} />
          </>
        )
      }
    </ui.Answered>
  )
}

export function OrphanDetails({ hash }: { hash: string }) {
  const block = ui
    .useStore()
    .view()
    .orphans.find((each) => each.hash === hash)
  if (block === undefined) return <p>No orphaned block with this hash was seen here.</p>
  return (
    <>
      <p>
        <ui.Badge kind="orphaned" /> It is no longer on the chain, which has another{' '}
        <ui.BlockLink number={block.number} />.
      </p>
      <BlockBody block={block} receipts={new Map()} />
    </>
  )
}

interface Waiting {
  readonly transaction: shapes.TransactionShape
  /** True if it waits for an earlier one of its sender. */
  readonly isQueued: boolean
}

export async function waitingIn(ask: Ask): Promise<Waiting[]> {
  const method = 'txpool_content'
  const content = await ask(method, [])
  if (!shapes.isFields(content)) throw shapes.wrongShape(method, 'a pool', content)
  return ['pending', 'queued'].flatMap((part) =>
    Object.values(shapes.fieldsIn(content[part])).flatMap((ofSender) =>
      Object.values(shapes.fieldsIn(ofSender)).map((each) => ({
        transaction: shapes.transactionOf(method, each),
        isQueued: part === 'queued',
      })),
    ),
  )
}

const POOL_HEADS = ['Transaction', 'From', 'To', 'Method', 'Ether', 'Nonce', 'Fee cap', 'State']

export function PoolView() {
  const answer = ui.useAnswer('pool', waitingIn)
  return (
    <ui.Answered answer={answer}>
      {(waiting) => (
        <ui.Table label="Pool" heads={POOL_HEADS} none="No transaction waits.">
          {waiting.map(({ transaction, isQueued }) => (
            <tr key={transaction.hash}>
              {ui.transactionCells(transaction)}
              {ui.cells('amount', groupDigits(transaction.nonce), gweiText(transaction.maxFeePerGas))}
              {ui.cells(undefined, <span class="pool">{isQueued ? 'queued behind a gap' : 'pending'}</span>)}
            </tr>
          ))}
        </ui.Table>
      )}
    </ui.Answered>
  )
}
