// Blocks of a run before they are built. Number, timestamp, fees and accounts are known; what needs a hash is built on
// first read.

import { EMPTY_BLOOM } from '../../execution/transaction/bloom.ts'
import { type Address, bytesToHex, type Hash, type Hex } from '../../primitives/hex.ts'
import type { Header } from '../../rollup/header.ts'
import type { Rules } from '../../rollup/rules.ts'
import { deferStarts } from '../../rollup/system-contracts.ts'
import type { CommittedState } from '../../state/state-tries.ts'
import { listRoot } from '../../state/trie.ts'
import type { WorldState } from '../../state/world-state.ts'
import type { SealedBlock } from '../block/block.ts'
import { timestampOf } from '../block/block-timing.ts'
import { type BlockBody, bodyCommitments, emptyBodyOf } from '../block/body.ts'
import type { Fees } from '../block/next-environment.ts'
import { blockOf } from './built-blocks.ts'
import { type EmptyRun, firstNumber, type LazyBlock } from './empty-run.ts'
import { feesFrom } from './fees.ts'

/** The root of an empty list, computed on first use. */
let emptyRoot: Hash | undefined

// Classes: V8 keeps the getters of a literal, and all that they refer to, until a full garbage collection.

class UnbuiltHeader implements Header {
  readonly number: number
  readonly timestamp: number
  readonly coinbase: Address
  readonly gasLimit: bigint
  readonly extraData: Uint8Array
  readonly difficulty: bigint
  readonly unclesHash: Hash
  readonly transactionsRoot: Hash
  readonly receiptsRoot: Hash
  readonly logsBloom = EMPTY_BLOOM
  readonly gasUsed = 0n
  readonly blobGasUsed = 0n
  readonly nonce: Hex
  readonly withdrawalsRoot: Hash
  readonly requestsHash: Hash
  private readonly fees: () => Fees
  private readonly built: () => SealedBlock

  constructor(run: EmptyRun, index: number, built: () => SealedBlock) {
    const body = emptyBodyOf(run)
    const { unclesHash, withdrawalsRoot, requestsHash } = bodyCommitments(body)
    emptyRoot ??= bytesToHex(listRoot([]))
    this.number = firstNumber(run) + index
    this.timestamp = timestampOf(run.timestamps, index)
    this.coinbase = run.coinbase
    this.gasLimit = run.gasLimit
    this.extraData = run.extraData
    this.difficulty = run.difficulty
    this.unclesHash = unclesHash
    this.transactionsRoot = emptyRoot
    this.receiptsRoot = emptyRoot
    this.nonce = body.nonce
    this.withdrawalsRoot = withdrawalsRoot
    this.requestsHash = requestsHash
    this.fees = () => feesFrom(run).at(index)
    this.built = built
  }

  get baseFeePerGas(): bigint {
    return this.fees().baseFeePerGas
  }

  get excessBlobGas(): bigint {
    return this.fees().excessBlobGas
  }

  get blobBaseFee(): bigint {
    return this.fees().blobBaseFee
  }

  get parentHash(): Hash {
    return this.built().header.parentHash
  }

  get prevRandao(): Hash {
    return this.built().header.prevRandao
  }

  get parentBeaconBlockRoot(): Hash {
    return this.built().header.parentBeaconBlockRoot
  }

  get stateRoot(): Hash {
    return this.built().header.stateRoot
  }
}

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

const NO_TRANSACTIONS: SealedBlock['executed'] = []

class UnbuiltBlock implements LazyBlock {
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

  /** The same block over another state. */
  withCommitted(committed: CommittedState): LazyBlock {
    return new UnbuiltBlock(this.run, this.header, committed, this.built)
  }
}

/** The block at a position of a run, counted from 0. */
export function lazyBlock(run: EmptyRun, index: number): SealedBlock {
  let known: SealedBlock | undefined
  const built = (): SealedBlock => {
    known ??= blockOf(run, index)
    return known
  }
  const committed = run.writes === 'each' ? new UnbuiltState(run, built) : run.parent.committed
  return new UnbuiltBlock(run, new UnbuiltHeader(run, index, built), committed, built)
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
