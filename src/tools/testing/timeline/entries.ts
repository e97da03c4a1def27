// Entries of a recording. They hold no block and no state, so that a recording does not keep the past in memory.

import type { ConsoleCall } from '../../../core/execution/evm/pooled-evm.ts'
import type { ExecutedTransaction, Transaction } from '../../../core/execution/transaction/transaction.ts'
import type { FaultableRequest, FaultEffect } from '../../../core/node/control/controls.ts'
import { memoizeWeak } from '../../../core/primitives/lru-cache.ts'
import { DEPOSITOR } from '../../../core/rollup/op/predeploys.ts'
import type { EventOf, TimelineEvent } from '../../view/timeline/record.ts'
import type { CrossingMark } from './crossings.ts'

export type Brief = ReturnType<typeof briefOf>

export interface BriefExecution {
  readonly brief: Brief
  readonly failure?: { readonly words: string; readonly returnData: Uint8Array }
  readonly consoleCalls?: readonly ConsoleCall[]
}

/** An event of the record, with transactions in place of their indices. */
type Kept<Event> = Event extends unknown
  ? {
      readonly [Name in keyof Event]: Name extends 'transaction' | 'by'
        ? Brief
        : Name extends 'transactions' | 'waiting' | 'preconfirmed'
          ? readonly Brief[]
          : Event[Name]
    }
  : never

/** Entries that the record shows as they are. */
export type PlainEntry = Kept<Exclude<TimelineEvent, EventOf<'partial' | 'sealed' | 'empty' | 'fault'>>>

export type Entry = {
  /** Its place among the entries of all layers. */
  readonly order: number
} & (
  | PlainEntry
  | (Omit<EventOf<'partial'>, 'transactions' | 'notes'> & { readonly executed: readonly BriefExecution[] })
  | (Omit<Kept<EventOf<'sealed'>>, 'isRestored' | 'notes'> & {
      /** The executions of a block that had no partial blocks to tell of them. */
      readonly executed: readonly BriefExecution[]
      readonly marks: readonly CrossingMark[]
      readonly isRestored: boolean
    })
  | (Omit<EventOf<'empty'>, 'isRestored'> & {
      /** The time of the block before. */
      readonly startMs: number
      /** Where the distance from block to block changes, as after a jump: the last block before, and its time. */
      readonly bends: readonly { readonly block: number; readonly timeMs: number }[]
      readonly isRestored: boolean
    })
  | (Omit<EventOf<'fault'>, 'words'> & { readonly asked: FaultableRequest; readonly effect: FaultEffect })
)

export type NewEntry = Entry extends infer Each ? (Each extends Entry ? Omit<Each, 'order'> : never) : never

export const briefOf = memoizeWeak(({ hash, sender, to, nonce, deposit }: Transaction) => {
  // The rollup itself sends it, in every block.
  const isSystem = deposit !== undefined && sender === DEPOSITOR
  return { hash, sender, to, nonce, sourceHash: deposit?.sourceHash, isSystem }
})

export function briefsOf(executed: readonly ExecutedTransaction[]): Brief[] {
  return executed.map(({ transaction }) => briefOf(transaction))
}

export function briefExecution(executed: ExecutedTransaction): BriefExecution {
  const { transaction, failure: words, returnData, consoleCalls } = executed
  return {
    brief: briefOf(transaction),
    ...(words === undefined ? {} : { failure: { words, returnData } }),
    ...(consoleCalls.length === 0 ? {} : { consoleCalls }),
  }
}

/** Merges consecutive empty blocks, and consecutive edits, into one entry. */
export function joined(last: Entry | undefined, next: NewEntry): NewEntry | undefined {
  if (last?.type === 'edited' && next.type === 'edited') return { ...next, count: last.count + next.count }
  if (last?.type !== 'empty' || next.type !== 'empty' || last.to !== next.from - 1) return undefined
  if (last.isRestored !== next.isRestored) return undefined
  const before = last.bends.at(-1) ?? { block: last.from - 1, timeMs: last.startMs }
  const distance = (last.timeMs - before.timeMs) / (last.to - before.block)
  const isEven = Math.abs((next.timeMs - last.timeMs) / (next.to - last.to) - distance) < 1
  const bends = isEven ? last.bends : [...last.bends, { block: last.to, timeMs: last.timeMs }]
  return { ...next, from: last.from, startMs: last.startMs, bends }
}

/** The last entries; older ones are dropped in bulk, so that one costs nothing. */
export class Entries {
  omitted = 0
  #kept: Entry[] = []
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get all(): readonly Entry[] {
    this.#trim(this.#most)
    return this.#kept
  }

  get last(): Entry | undefined {
    return this.#kept.at(-1)
  }

  push(entry: Entry): void {
    this.#kept.push(entry)
    this.#trim(this.#most + (this.#most >> 2))
  }

  replaceLast(entry: Entry): void {
    this.#kept[this.#kept.length - 1] = entry
  }

  #trim(allowed: number): void {
    if (this.#kept.length <= allowed) return
    this.omitted += this.#kept.length - this.#most
    this.#kept = this.#kept.slice(-this.#most)
  }
}
