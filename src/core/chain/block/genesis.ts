// Construction of the genesis block.

import type { ForkHeader } from '../../fork/answers.ts'
import { type Address, bytesToHex, type Hash } from '../../primitives/hex.ts'
import { completeHeader, type Header, hashHeader, makeHeader, ZERO_NONCE } from '../../rollup/header.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { commitOver, commitState, EMPTY_COMMITTED_STATE, stateRoot } from '../../state/state-tries.ts'
import { listRoot } from '../../state/trie.ts'
import { type Account, EMPTY_WORLD_STATE, type WorldState } from '../../state/world-state.ts'
import { messagesRoot, type SealedBlock } from './block.ts'
import { bodyCommitments, EMPTY_BODY } from './body.ts'

type OwnFields = 'number' | 'timestamp' | 'gasLimit' | 'baseFeePerGas' | 'coinbase' | 'extraData'
type LaterFields = 'difficulty' | 'nonce' | 'excessBlobGas' | 'blobGasUsed'

interface Genesis extends Pick<Header, OwnFields | LaterFields> {
  readonly accounts: Iterable<readonly [Address, Account]>
  readonly mixHash: Hash
}

export function createGenesisBlock(rules: Rules, genesis: Genesis): SealedBlock {
  let state = EMPTY_WORLD_STATE
  for (const [address, account] of genesis.accounts) state = state.set(address, account)
  const committed = commitState(EMPTY_COMMITTED_STATE, state)
  const body = genesis.nonce === ZERO_NONCE ? EMPTY_BODY : { ...EMPTY_BODY, nonce: genesis.nonce }
  const emptyRoot = bytesToHex(listRoot([]))
  const commitments = bodyCommitments(body)
  const fields: Partial<Header> = {
    ...genesis,
    baseFeePerGas: isForkActive(rules, 'london') ? genesis.baseFeePerGas : 0n,
    prevRandao: genesis.mixHash,
    stateRoot: stateRoot(committed),
    transactionsRoot: emptyRoot,
    receiptsRoot: emptyRoot,
    ...commitments,
    withdrawalsRoot: messagesRoot(rules, committed) ?? commitments.withdrawalsRoot,
  }
  const header = completeHeader(
    rules,
    makeHeader((name) => fields[name]),
  )
  const hash = hashHeader(rules, header)
  return { rules, header, body, hash, totalDifficulty: genesis.difficulty, executed: [], committed }
}

/** The block with a state that stands on the upstream's. Its hash is given: networks may have fields of their own. */
export function createForkBlock(rules: Rules, fork: ForkHeader, state: WorldState): SealedBlock {
  const { hash, totalDifficulty, stateRoot, nonce } = fork
  return {
    rules,
    header: completeHeader(rules, fork),
    body: { ...EMPTY_BODY, nonce },
    hash,
    totalDifficulty,
    executed: [],
    committed: commitOver(state, stateRoot),
  }
}
