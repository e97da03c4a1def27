// Blocks of a run before they are built. Number, timestamp, fees and accounts are known; what needs a hash is built on
// first read.

import { EMPTY_BLOOM } from '../../execution/transaction/transaction.ts'
import { bytesToHex, type Hash } from '../../primitives/hex.ts'
import { HEADER_FIELDS, type Header, type HeaderName } from '../../rollup/header.ts'
import type { Rules } from '../../rollup/rules.ts'
import { deferStarts } from '../../rollup/system-contracts.ts'
import type { CommittedState } from '../../state/state-tries.ts'
import { listRoot } from '../../state/trie.ts'
import type { WorldState } from '../../state/world-state.ts'
import type { SealedBlock } from '../block/block.ts'
import { type BlockBody, bodyCommitments, emptyBodyOf } from '../block/body.ts'
import { blockOf } from './built-blocks.ts'
import { type EmptyRun, feesFrom, firstNumber, timestampOf } from './empty-run.ts'

/** The root of an empty list, computed on first use. */
let emptyRoot: Hash | undefined

// Classes: V8 keeps the getters of a literal, and all that they refer to, until a full garbage collection.

/** One list for all blocks of runs: an edit of the head keeps it. */
const NO_TRANSACTIONS: SealedBlock['executed'] = []

/** The header of an empty block; see `Header` for its fields, which it reads lazily. */
class UnbuiltHeader {
  private readonly fields: Partial<Header>
  private readonly run: EmptyRun
  private readonly index: number
  private readonly built: () => SealedBlock

  constructor(run: EmptyRun, index: number, built: () => SealedBlock) {
    const { coinbase, gasLimit, extraData, difficulty } = run
    const [number, timestamp] = [firstNumber(run) + index, timestampOf(run.timestamps, index)]
    const body = emptyBodyOf(run)
    emptyRoot ??= bytesToHex(listRoot([]))
    this.fields = {
      number,
      timestamp,
      coinbase,
      gasLimit,
      extraData,
      difficulty,
      nonce: body.nonce,
      transactionsRoot: emptyRoot,
      receiptsRoot: emptyRoot,
      ...bodyCommitments(body),
      logsBloom: EMPTY_BLOOM,
      gasUsed: 0n,
      blobGasUsed: 0n,
    }
    this.run = run
    this.index = index
    this.built = built
  }

  read(name: HeaderName): unknown {
    if (name in this.fields) return this.fields[name]
    const fees: Partial<Header> = feesFrom(this.run).at(this.index)
    return fees[name] ?? this.built().header[name]
  }
}

for (const name of Object.keys(HEADER_FIELDS) as HeaderName[])
  Object.defineProperty(UnbuiltHeader.prototype, name, {
    get(this: UnbuiltHeader) {
      return this.read(name)
    },
  })

/** The state of a lazy block: only the contracts of the protocol differ from the parent's, and only if they are read. */
class UnbuiltState implements CommittedState {
  readonly state: WorldState
  private readonly built: () => SealedBlock

  constructor({ rules, parent }: EmptyRun, built: () => SealedBlock) {
    this.state = deferStarts(rules, parent.committed.state, () => built().committed.state)
    this.built = built
  }

  get accountTrie(): CommittedState['accountTrie'] {
    return this.built().committed.accountTrie
  }

  get storageTries(): CommittedState['storageTries'] {
    return this.built().committed.storageTries
  }
}

class UnbuiltBlock implements SealedBlock {
  readonly run: EmptyRun
  readonly rules: Rules
  readonly header: Header
  readonly body: BlockBody
  readonly totalDifficulty: bigint
  readonly executed = NO_TRANSACTIONS
  readonly committed: CommittedState
  private readonly built: () => SealedBlock

  constructor(run: EmptyRun, header: Header, committed: CommittedState, built: () => SealedBlock) {
    this.run = run
    this.rules = run.rules
    this.header = header
    this.body = emptyBodyOf(run)
    this.totalDifficulty = run.parent.totalDifficulty
    this.committed = committed
    this.built = built
  }

  get hash(): Hash {
    return this.built().hash
  }

  withCommitted(committed: CommittedState): SealedBlock {
    return new UnbuiltBlock(this.run, this.header, committed, this.built)
  }
}

/** The block at a position of a run, counted from 0. */
export function lazyBlock(run: EmptyRun, index: number): SealedBlock {
  let known: SealedBlock | undefined
  const built = (): SealedBlock => (known ??= blockOf(run, index))
  const committed = run.writes === 'each' ? new UnbuiltState(run, built) : run.parent.committed
  const header = new UnbuiltHeader(run, index, built) as unknown as Header
  return new UnbuiltBlock(run, header, committed, built)
}

/** True if the block's hash, and all that depends on it, is computed on first read. */
export function isLazy(block: SealedBlock): boolean {
  return block instanceof UnbuiltBlock
}

/** The same block over another state; a lazy one stays lazy. */
export function withCommitted(block: SealedBlock, committed: CommittedState): SealedBlock {
  if (block instanceof UnbuiltBlock) return block.withCommitted(committed)
  const { rules, header, body, hash, totalDifficulty, executed } = block
  return { rules, header, body, hash, totalDifficulty, executed, committed }
}
