// The blocks of runs, built when somebody looks, and remembered with the run: that they were not there before is
// nothing that could be seen.

import { EMPTY_BLOOM } from '../../execution/transaction/bloom.ts'
import { bytesToHex, type Hash } from '../../primitives/hex.ts'
import { deferStarts } from '../../rollup/system-contracts.ts'
import type { CommittedState } from '../../state/state-tries.ts'
import { listRoot } from '../../state/trie.ts'
import type { SealedBlock } from '../block/block.ts'
import { bodyCommitments, EMPTY_BODY } from '../block/body.ts'
import { type Header, ZERO_NONCE } from '../block/header.ts'
import { timestampOf } from './block-timing.ts'
import { createCompactBlocks } from './compact-blocks.ts'
import { type BlockSource, type EmptyRun, feesOf, firstNumber, trunkOf } from './empty-run.ts'
import { createExactBlocks } from './exact-blocks.ts'

/** By trunk: what one run has built, those that go on from it have as well. */
const sources = new WeakMap<EmptyRun, BlockSource>()

/** A block of a run that is given out before it is built. */
interface DeferredBlock extends SealedBlock {
  readonly run: EmptyRun
}

/** Whether a block is one of a run, with what takes a hash not yet built. */
export function isDeferred(block: SealedBlock): boolean {
  return 'run' in block
}

function runOf(block: SealedBlock): EmptyRun | undefined {
  return 'run' in block ? (block as DeferredBlock).run : undefined
}

function createSource(run: EmptyRun): BlockSource {
  return run.precision === 'compact' ? createCompactBlocks(run) : createExactBlocks(run)
}

function prepare(run: EmptyRun): void {
  const { parent } = run
  // What the first block takes over, the parent looks up and remembers.
  void parent.hash
  void parent.committed.accountTrie
  sources.set(trunkOf(run), createSource(run))
}

/** Whether somebody has looked at a block of a run, or of one that goes on from it. */
export function isLookedAt(run: EmptyRun): boolean {
  return sources.has(trunkOf(run))
}

/** Runs may stand on runs by the thousand, none of them looked at: the oldest is built first, not called last. */
function sourceOf(run: EmptyRun): BlockSource {
  const waiting: EmptyRun[] = []
  let next: EmptyRun | undefined = run
  while (next !== undefined && !isLookedAt(next)) {
    waiting.push(next)
    next = runOf(next.parent)
  }
  for (const each of waiting.reverse()) prepare(each)
  return sources.get(trunkOf(run)) as BlockSource
}

/** The block at a position of a run, counted from 0. */
export function buildBlockOf(run: EmptyRun, index: number): SealedBlock {
  return sourceOf(run).at(index)
}

/** The block of a run of one, if somebody has looked at it. */
export function builtBlockOf(run: EmptyRun): SealedBlock | undefined {
  const source = run.count === 1 && run.precision === 'exact' ? sources.get(trunkOf(run)) : undefined
  return source?.at(0)
}

/** The position of the one of the first `count` blocks of a run that has a hash. */
export function indexInRun(run: EmptyRun, hash: Hash, count: number): number | undefined {
  return sourceOf(run).indexOf(hash, count)
}

/** The root of a list of nothing, worked out when it is first asked for. */
let emptyRoot: Hash | undefined

/** A header of which is known what follows from the run alone; the rest is built when it is read. */
function deferHeader(run: EmptyRun, index: number, build: () => SealedBlock): Header {
  const fees = () => feesOf(run).at(index)
  emptyRoot ??= bytesToHex(listRoot([]))
  return {
    number: firstNumber(run) + index,
    timestamp: timestampOf(run.pace, index),
    coinbase: run.coinbase,
    gasLimit: run.gasLimit,
    extraData: run.extraData,
    difficulty: 0n,
    transactionsRoot: emptyRoot,
    receiptsRoot: emptyRoot,
    logsBloom: EMPTY_BLOOM,
    gasUsed: 0n,
    blobGasUsed: 0n,
    nonce: ZERO_NONCE,
    ...bodyCommitments(EMPTY_BODY),
    get baseFeePerGas() {
      return fees().baseFeePerGas
    },
    get excessBlobGas() {
      return fees().excessBlobGas
    },
    get blobBaseFee() {
      return fees().blobBaseFee
    },
    get parentHash() {
      return build().header.parentHash
    },
    get prevRandao() {
      return build().header.prevRandao
    },
    get parentBeaconBlockRoot() {
      return build().header.parentBeaconBlockRoot
    },
    get stateRoot() {
      return build().header.stateRoot
    },
  }
}

function deferCommitted(run: EmptyRun, index: number, build: () => SealedBlock): CommittedState {
  const { committed } = run.parent
  if (run.precision === 'compact' && index < run.count - 1) return committed
  return {
    state: deferStarts(run.rules, committed.state, () => build().committed.state),
    get accountTrie() {
      return build().committed.accountTrie
    },
    get storageTries() {
      return build().committed.storageTries
    },
  }
}

/**
 * The block at a position of a run, not yet built: number, timestamp and prices are known, accounts can be read, and
 * whatever takes a hash is built when somebody reads it.
 */
export function deferBlockOf(run: EmptyRun, index: number): SealedBlock {
  let built: SealedBlock | undefined
  const build = (): SealedBlock => {
    built ??= buildBlockOf(run, index)
    return built
  }
  const deferred: DeferredBlock = {
    run,
    rules: run.rules,
    header: deferHeader(run, index, build),
    body: EMPTY_BODY,
    executed: [],
    committed: deferCommitted(run, index, build),
    get hash() {
      return build().hash
    },
  }
  return deferred
}

/** A block as a run keeps it to stand on, which takes nothing over from its transactions. */
export function standingOf(block: SealedBlock): SealedBlock {
  const { rules, header, body, executed, committed } = block
  return executed.length === 0 ? block : { rules, header, body, hash: block.hash, executed: [], committed }
}

/** The same block over another state; one that is not yet built stays so. */
export function withCommitted(block: SealedBlock, committed: CommittedState): SealedBlock {
  const { rules, header, body, executed } = block
  const run = runOf(block)
  if (run === undefined) return { rules, header, body, hash: block.hash, executed, committed }
  const changed: DeferredBlock = {
    ...{ run, rules, header, body, executed, committed },
    get hash() {
      return block.hash
    },
  }
  return changed
}
