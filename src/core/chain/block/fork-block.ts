// The block of an upstream that a chain goes on from. Its transactions stay with the upstream.

import type { ForkHeader } from '../../fork/header-fields.ts'
import { ZERO_HASH } from '../../primitives/hex.ts'
import { blobBaseFee } from '../../rollup/blobs.ts'
import type { Rules } from '../../rollup/rules.ts'
import { commitOver } from '../../state/state-tries.ts'
import type { WorldState } from '../../state/world-state.ts'
import type { SealedBlock } from './block.ts'
import { EMPTY_BODY } from './body.ts'
import { type Header, ZERO_NONCE } from './header.ts'

/** The block with a state that stands on the upstream's. Its hash is given: networks may have fields of their own. */
export function createForkBlock(rules: Rules, fork: ForkHeader, state: WorldState): SealedBlock {
  const excessBlobGas = fork.excessBlobGas ?? 0n
  const nonce = fork.nonce ?? ZERO_NONCE
  const { number, timestamp, parentHash, unclesHash, coinbase, stateRoot } = fork
  const { transactionsRoot, receiptsRoot, logsBloom, difficulty, gasLimit, gasUsed, extraData } = fork
  const header: Header = {
    ...{ number, timestamp, parentHash, unclesHash, coinbase, stateRoot, transactionsRoot, receiptsRoot },
    ...{ logsBloom, difficulty, gasLimit, gasUsed, extraData, excessBlobGas, nonce },
    baseFeePerGas: fork.baseFeePerGas ?? 0n,
    blobGasUsed: fork.blobGasUsed ?? 0n,
    blobBaseFee: blobBaseFee(rules.blobs, excessBlobGas),
    prevRandao: fork.mixHash,
    parentBeaconBlockRoot: fork.parentBeaconBlockRoot ?? ZERO_HASH,
    withdrawalsRoot: fork.withdrawalsRoot ?? ZERO_HASH,
    requestsHash: fork.requestsHash ?? ZERO_HASH,
  }
  return {
    rules,
    header,
    body: { ...EMPTY_BODY, nonce },
    hash: fork.hash,
    totalDifficulty: fork.totalDifficulty ?? difficulty,
    executed: [],
    committed: commitOver(state, stateRoot),
  }
}
