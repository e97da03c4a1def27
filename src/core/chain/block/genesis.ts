// Construction of the genesis block.

import type { BlockEnvironment } from '../../execution/evm/environment.ts'
import { BLOOM_BYTES } from '../../execution/transaction/bloom.ts'
import { type Address, bytesToHex, type Hash, type Hex, ZERO_HASH } from '../../primitives/hex.ts'
import { blobBaseFee } from '../../rollup/blobs.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import type { Account } from '../../state/account.ts'
import { commitState, EMPTY_COMMITTED_STATE, stateRoot } from '../../state/state-tries.ts'
import { listRoot } from '../../state/trie.ts'
import { EMPTY_WORLD_STATE } from '../../state/world-state.ts'
import { type SealedBlock, withdrawalsCommitment } from './block.ts'
import { bodyCommitments, EMPTY_BODY } from './body.ts'
import { type Header, hashHeader, ZERO_NONCE } from './header.ts'

export interface Genesis {
  readonly accounts: Iterable<readonly [Address, Account]>
  readonly number: number
  /** Seconds. */
  readonly timestamp: number
  readonly gasLimit: bigint
  readonly baseFeePerGas: bigint
  readonly coinbase: Address
  readonly extraData: Uint8Array
  readonly difficulty: bigint
  readonly mixHash: Hash
  readonly nonce: Hex
  readonly excessBlobGas: bigint
  readonly blobGasUsed: bigint
}

export function createGenesisBlock(rules: Rules, genesis: Genesis): SealedBlock {
  let state = EMPTY_WORLD_STATE
  for (const [address, account] of genesis.accounts) state = state.set(address, account)
  const committed = commitState(EMPTY_COMMITTED_STATE, state)
  const { number, timestamp, gasLimit, baseFeePerGas, coinbase, extraData } = genesis
  const body = genesis.nonce === ZERO_NONCE ? EMPTY_BODY : { ...EMPTY_BODY, nonce: genesis.nonce }
  const environment: BlockEnvironment = {
    number,
    timestamp,
    parentHash: ZERO_HASH,
    coinbase,
    gasLimit,
    baseFeePerGas: isForkActive(rules, 'london') ? baseFeePerGas : 0n,
    prevRandao: genesis.mixHash,
    extraData,
    parentBeaconBlockRoot: ZERO_HASH,
    excessBlobGas: genesis.excessBlobGas,
    blobBaseFee: blobBaseFee(rules.blobs, genesis.excessBlobGas),
    difficulty: genesis.difficulty,
  }
  const emptyRoot = bytesToHex(listRoot([]))
  const header: Header = {
    ...environment,
    stateRoot: stateRoot(committed),
    transactionsRoot: emptyRoot,
    receiptsRoot: emptyRoot,
    logsBloom: new Uint8Array(BLOOM_BYTES),
    gasUsed: 0n,
    blobGasUsed: genesis.blobGasUsed,
    nonce: body.nonce,
    ...bodyCommitments(body),
    ...withdrawalsCommitment(rules, committed),
  }
  const hash = hashHeader(rules, header)
  return { rules, header, body, hash, totalDifficulty: genesis.difficulty, executed: [], committed }
}
