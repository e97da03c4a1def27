// Blocks of a run before they are built. Number, timestamp, fees and accounts are known; what needs a hash is built on
// first read.

import { EMPTY_BLOOM } from '../../execution/transaction/bloom.ts'
import { bytesToHex, type Hash } from '../../primitives/hex.ts'
import { deferStarts } from '../../rollup/system-contracts.ts'
import type { CommittedState } from '../../state/state-tries.ts'
import { listRoot } from '../../state/trie.ts'
import type { SealedBlock } from '../block/block.ts'
import { timestampOf } from '../block/block-timing.ts'
import { bodyCommitments, emptyBodyOf } from '../block/body.ts'
import type { Header } from '../block/header.ts'
import { blockOf } from './built-blocks.ts'
import { type EmptyRun, firstNumber, type LazyBlock, runOf } from './empty-run.ts'
import { feesFrom } from './fees.ts'

/** Whether the block's hash, and all that depends on it, is computed on first read. */
export function isLazy(block: SealedBlock): boolean {
  return runOf(block) !== undefined
}

/** The root of an empty list, computed on first use. */
let emptyRoot: Hash | undefined

function lazyHeader(run: EmptyRun, index: number, build: () => SealedBlock): Header {
  const fees = () => feesFrom(run).at(index)
  emptyRoot ??= bytesToHex(listRoot([]))
  const body = emptyBodyOf(run)
  return {
    number: firstNumber(run) + index,
    timestamp: timestampOf(run.timestamps, index),
    coinbase: run.coinbase,
    gasLimit: run.gasLimit,
    extraData: run.extraData,
    difficulty: run.difficulty,
    transactionsRoot: emptyRoot,
    receiptsRoot: emptyRoot,
    logsBloom: EMPTY_BLOOM,
    gasUsed: 0n,
    blobGasUsed: 0n,
    nonce: body.nonce,
    ...bodyCommitments(body),
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

function lazyState({ writes, rules, parent }: EmptyRun, build: () => SealedBlock): CommittedState {
  if (writes !== 'each') return parent.committed
  return {
    state: deferStarts(rules, parent.committed.state, () => build().committed.state),
    get accountTrie() {
      return build().committed.accountTrie
    },
    get storageTries() {
      return build().committed.storageTries
    },
  }
}

/** The block at a position of a run, counted from 0. */
export function lazyBlock(run: EmptyRun, index: number): SealedBlock {
  let built: SealedBlock | undefined
  const build = (): SealedBlock => {
    built ??= blockOf(run, index)
    return built
  }
  const lazy: LazyBlock = {
    run,
    rules: run.rules,
    header: lazyHeader(run, index, build),
    body: emptyBodyOf(run),
    totalDifficulty: run.parent.totalDifficulty,
    executed: [],
    committed: lazyState(run, build),
    get hash() {
      return build().hash
    },
  }
  return lazy
}

/** The same block over another state; a lazy one stays lazy. */
export function withCommitted(block: SealedBlock, committed: CommittedState): SealedBlock {
  const { rules, header, body, totalDifficulty, executed } = block
  const run = runOf(block)
  if (run === undefined)
    return { rules, header, body, hash: block.hash, totalDifficulty, executed, committed }
  const changed: LazyBlock = {
    ...{ run, rules, header, body, totalDifficulty, executed, committed },
    get hash() {
      return block.hash
    },
  }
  return changed
}
