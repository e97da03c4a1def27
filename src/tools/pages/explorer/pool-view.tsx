// The transactions that wait.

import type { JSX } from 'preact'
import { Answered, Scroll, TransactionCells } from './parts.tsx'
import { isFields, type TransactionShape, transactionOf, wrongShape } from './shapes.ts'
import { etherText, groupDigits, gweiText } from './text.ts'
import { type Ask, useAnswer } from './use-store.ts'

interface Waiting {
  readonly transaction: TransactionShape
  /** Whether it waits for an earlier one of its sender. */
  readonly isQueued: boolean
}

async function waitingIn(ask: Ask): Promise<Waiting[]> {
  const method = 'txpool_content'
  const content = await ask(method, [])
  if (!isFields(content)) throw wrongShape(method, 'a pool', content)
  const parts = [
    [content['pending'], false],
    [content['queued'], true],
  ] as const
  return parts.flatMap(([part, isQueued]) =>
    Object.values(isFields(part) ? part : {}).flatMap((ofSender) =>
      Object.values(isFields(ofSender) ? ofSender : {}).map((each) => ({
        transaction: transactionOf(method, each),
        isQueued,
      })),
    ),
  )
}

function Row({ transaction, isQueued }: Waiting): JSX.Element {
  const { nonce, value, maxFeePerGas } = transaction
  return (
    <tr>
      <TransactionCells transaction={transaction} />
      <td class="amount">{groupDigits(nonce)}</td>
      <td class="amount">{etherText(value)}</td>
      <td class="amount">{gweiText(maxFeePerGas)}</td>
      <td>
        <span class="pool">{isQueued ? 'queued behind a gap' : 'pending'}</span>
      </td>
    </tr>
  )
}

export function PoolView(): JSX.Element {
  const answer = useAnswer('pool', waitingIn)
  return (
    <Answered answer={answer}>
      {(waiting) =>
        waiting.length === 0 ? (
          <p class="muted">No transaction waits.</p>
        ) : (
          <Scroll label="Pool">
            <table class="list">
              <thead>
                <tr>
                  {['Transaction', 'From', 'To', 'Nonce', 'Ether', 'Fee cap', 'State'].map((title) => (
                    <th key={title} scope="col">
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {waiting.map((each) => (
                  <Row key={each.transaction.hash} {...each} />
                ))}
              </tbody>
            </table>
          </Scroll>
        )
      }
    </Answered>
  )
}
