// Deposits and withdrawals of a pair: the events of its contracts, joined to messages from one layer to the other.

import type { SealedBlock } from '../../../core/chain/block/block.ts'
import type { Log } from '../../../core/execution/transaction/transaction.ts'
import { keccakOfText } from '../../../core/primitives/crypto.ts'
import { bytesToHex, type Hash } from '../../../core/primitives/hex.ts'
import { userSourceHash } from '../../../core/rollup/deposit.ts'
import type { RecordedCrossing } from '../../view/timeline/record.ts'

type Step = 'deposited' | 'included' | 'initiated' | 'proven' | 'finalized'

/** A step of a message, by an event of the contracts. */
export interface CrossingMark {
  readonly step: Step
  /** The same in all steps of a message: its source hash or its withdrawal hash. */
  readonly key: Hash
  readonly transactionHash: Hash
}

const SIGNATURES: readonly (readonly [Step, signature: string])[] = [
  ['deposited', 'TransactionDeposited(address,address,uint256,bytes)'],
  ['initiated', 'MessagePassed(uint256,address,address,uint256,uint256,bytes,bytes32)'],
  ['proven', 'WithdrawalProven(bytes32,address,address)'],
  ['finalized', 'WithdrawalFinalized(bytes32,bool)'],
]

let steps: ReadonlyMap<Hash, Step> | undefined

function stepOf({ topics: [event] }: Log): Step | undefined {
  steps ??= new Map(SIGNATURES.map(([step, signature]) => [keccakOfText(signature), step]))
  return event === undefined ? undefined : steps.get(event)
}

/** Where the withdrawal hash is in the data of MessagePassed: after value, gas limit and the offset of the bytes. */
const HASH_START = 3 * 32

function keyOf(step: Step, log: Log, block: SealedBlock, logIndex: number): Hash | undefined {
  if (step === 'deposited') return userSourceHash(block.hash, logIndex)
  return step === 'initiated' ? bytesToHex(log.data.subarray(HASH_START, HASH_START + 32)) : log.topics[1]
}

export function crossingMarks(block: SealedBlock): CrossingMark[] {
  return block.executed.flatMap(({ transaction, receipt, firstLogIndex }) =>
    receipt.logs.flatMap((log, index) => {
      const step = stepOf(log)
      const key = step && keyOf(step, log, block, firstLogIndex + index)
      return step === undefined || key === undefined ? [] : [{ step, key, transactionHash: transaction.hash }]
    }),
  )
}

/** The marks of one layer, with the places of its transactions in the record. */
export interface LayerMarks {
  readonly marks: readonly CrossingMark[]
  readonly indexOf: ReadonlyMap<Hash, number>
}

const ORDER: readonly Step[] = ['deposited', 'included', 'initiated', 'proven', 'finalized']

/** The messages that were begun within the recording, and have reached the other layer. */
export function crossingsOf(layers: readonly LayerMarks[]): RecordedCrossing[] {
  const byKey = new Map<Hash, { step: Step; layer: number; transaction: number }[]>()
  for (const [layer, { marks, indexOf }] of layers.entries()) {
    for (const { step, key, transactionHash } of marks) {
      const transaction = indexOf.get(transactionHash)
      if (transaction === undefined) continue
      const known = byKey.get(key) ?? []
      // A transaction is in several blocks after a reorganisation.
      if (!known.some((other) => other.step === step && other.layer === layer))
        byKey.set(key, [...known, { step, layer, transaction }])
    }
  }
  return [...byKey.values()]
    .filter((found) => new Set(found.map(({ layer }) => layer)).size > 1)
    .map((found) => {
      const sorted = found.sort((a, b) => ORDER.indexOf(a.step) - ORDER.indexOf(b.step))
      return {
        kind: sorted.some(({ step }) => step === 'deposited') ? 'deposit' : 'withdrawal',
        steps: sorted.map(({ step, layer, transaction }) => ({ name: step, layer, transaction })),
      }
    })
}
