// The transactions that wait.

import { Answered, cells, Table, transactionCells } from './parts.tsx'
import { fieldsIn, isFields, type TransactionShape, transactionOf, wrongShape } from './shapes.ts'
import type { Ask } from './source.ts'
import { etherText, groupDigits, gweiText } from './text.ts'
import { useAnswer } from './use-store.ts'

interface Waiting {
  readonly transaction: TransactionShape
  /** True if it waits for an earlier one of its sender. */
  readonly isQueued: boolean
}

async function waitingIn(ask: Ask): Promise<Waiting[]> {
  const method = 'txpool_content'
  const content = await ask(method, [])
  if (!isFields(content)) throw wrongShape(method, 'a pool', content)
  return ['pending', 'queued'].flatMap((part) =>
    Object.values(fieldsIn(content[part])).flatMap((ofSender) =>
      Object.values(fieldsIn(ofSender)).map((each) => ({
        transaction: transactionOf(method, each),
        isQueued: part === 'queued',
      })),
    ),
  )
}

function Row({ transaction, isQueued }: Waiting) {
  const { nonce, value, maxFeePerGas } = transaction
  return (
    <tr>
      {transactionCells(transaction)}
      {cells('amount', groupDigits(nonce), etherText(value), gweiText(maxFeePerGas))}
      {cells(undefined, <span class="pool">{isQueued ? 'queued behind a gap' : 'pending'}</span>)}
    </tr>
  )
}

const HEADS = ['Transaction', 'From', 'To', 'Nonce', 'Ether', 'Fee cap', 'State']

export function PoolView() {
  const answer = useAnswer('pool', waitingIn)
  return (
    <Answered answer={answer}>
      {(waiting) =>
        waiting.length === 0 ? (
          <p class="muted">No transaction waits.</p>
        ) : (
          <Table label="Pool" heads={HEADS}>
            {waiting.map((each) => (
              <Row key={each.transaction.hash} {...each} />
            ))}
          </Table>
        )
      }
    </Answered>
  )
}
