// The transactions of the last blocks that have something in common, such as an account.

import { useState } from 'preact/hooks'
import type { Overview } from './overview.ts'
import * as ui from './parts.tsx'
import { fieldsIn, hexOf, listIn, readBlock, type TransactionShape } from './shapes.ts'
import type { Ask } from './source.ts'
import { groupDigits } from './text.ts'

/** Blocks that are searched at once, and rows that are shown. */
const [SEARCHED, MOST_ROWS] = [200, 100]

/** The transactions since a block, newest first, with the block that is being built. */
async function since(ask: Ask, { latest, pending }: Overview, from: number) {
  const numbers = Array.from({ length: latest.number - from + 1 }, (_, index) => latest.number - index)
  const blocks = await Promise.all(
    numbers.map(async (number) => {
      const block = readBlock(await ask('eth_getBlockByNumber', [`0x${number.toString(16)}`, true]))
      return { number, transactions: block.transactions }
    }),
  )
  return [pending, ...blocks].flatMap(({ number, transactions }) =>
    [...transactions].reverse().map((transaction) => ({ transaction, block: number })),
  )
}

const HEADS = ['Transaction', 'From', 'To', 'Method', 'Ether', 'Block']

/** The transactions of a kind; `what` is the name of what is asked for. */
export function TransactionsOf({ what, isOf }: { what: string; isOf: (each: TransactionShape) => boolean }) {
  const { overview } = ui.useStore().view()
  const [depth, setDepth] = useState(SEARCHED)
  const head = overview?.latest.number ?? 0
  const from = Math.max(overview?.earliest ?? 0, head - depth + 1)
  const answer = ui.useAnswer(`${what} since ${from}`, async (ask) => {
    const all = overview === undefined ? [] : await since(ask, overview, from)
    return all.filter(({ transaction }) => isOf(transaction))
  })
  const isWhole = from <= (overview?.earliest ?? 0)
  const none = isWhole ? 'None.' : `None since block ${groupDigits(from)}.`
  return (
    <>
      <ui.Answered answer={answer}>
        {(found) => (
          <ui.Table label="Transactions" heads={HEADS} none={none}>
            {found.slice(0, MOST_ROWS).map(({ transaction, block }) => (
              <tr key={transaction.hash}>
                {ui.transactionCells(transaction)}
                {ui.cells(undefined, <ui.BlockLink number={block} />)}
              </tr>
            ))}
          </ui.Table>
        )}
      </ui.Answered>
      {answer.state === 'answered' && answer.value.length > MOST_ROWS ? (
        <p class="muted">The newest {MOST_ROWS} are shown.</p>
      ) : undefined}
      {isWhole ? undefined : (
        <ui.Button onClick={() => setDepth(depth + SEARCHED)}>Search {SEARCHED} older blocks</ui.Button>
      )}
    </>
  )
}

async function hashesWithTopic(ask: Ask, topic: string): Promise<ReadonlySet<string>> {
  const logs = await ask('eth_getLogs', [{ fromBlock: 'earliest', toBlock: 'pending', topics: [topic] }])
  return new Set(listIn(logs).flatMap((log) => hexOf(fieldsIn(log)['transactionHash']) ?? []))
}

/** Transactions by a selector, or by the topic of an event. */
export function SearchView({ hex }: { hex: string }) {
  const isTopic = hex.length === 66
  const answer = ui.useAnswer(`topic ${hex}`, async (ask) =>
    isTopic ? hashesWithTopic(ask, hex) : new Set(),
  )
  return (
    <>
      <p class="muted">
        {isTopic ? 'Transactions with an event of the topic' : 'Transactions that call'}{' '}
        <code class="long">{hex}</code>
      </p>
      <ui.Answered answer={answer}>
        {(hashes) => (
          <TransactionsOf
            what={`transactions with ${hex}`}
            isOf={({ input, hash }) => (isTopic ? hashes.has(hash) : input.startsWith(hex))}
          />
        )}
      </ui.Answered>
    </>
  )
}
