// Edits of accounts outside any transaction. They apply to the state of the head, whose header and hash stay, and to
// that of the block being built (docs/decisions/0009-edits-outside-transactions.md).

import { editOpenBlock } from '../../chain/block/block.ts'
import { replaceHead } from '../../chain/chain.ts'
import { withCommitted } from '../../chain/runs/runs.ts'
import { removeBelow } from '../../pool/pool.ts'
import { failure } from '../../primitives/errors.ts'
import type { Address, Hash } from '../../primitives/hex.ts'
import { MAX_UINT256 } from '../../primitives/numbers.ts'
import { ACTIVATION_REGISTRY, type B20Feature, withFeature } from '../../rollup/base/features.ts'
import { type Account, isDead, makeCode } from '../../state/account.ts'
import { commitStateLater } from '../../state/state-tries.ts'
import { readAccount, updateAccount, type WorldState } from '../../state/world-state.ts'
import { type NodeState, pendingWorld } from '../node-state.ts'
import { beginWithOpening } from '../rollup/opening.ts'

type Edit = (world: WorldState) => WorldState

/** Edits the state of the head and, if a block has begun, of the block being built. */
export function editState(state: NodeState, edit: Edit): NodeState {
  const { head, open } = state.chain
  const { committed } = head
  const edited = withCommitted(head, commitStateLater(committed, edit(committed.state)))
  // Its transactions are executed again from the edits that were between them.
  const parent = head.edits === undefined ? edited : { ...edited, edits: head.edits }
  const chain = replaceHead(state.chain, parent)
  if (open === undefined) return { ...state, chain }
  return { ...state, chain: { ...chain, open: editOpenBlock(open, parent, edit(open.state)) } }
}

/** The state with fields of an account changed. An account that becomes empty is deleted (EIP-161). */
function withAccount(world: WorldState, address: Address, changes: Partial<Account>): WorldState {
  const edited = updateAccount(world, address, changes)
  const account = readAccount(edited, address)
  return isDead(account) && account.storage.isEmpty ? edited.delete(address) : edited
}

export function setBalance(state: NodeState, address: Address, balance: bigint): NodeState {
  return editState(state, (world) => withAccount(world, address, { balance }))
}

/** Throws `invalidCall` if the balance would not fit 256 bits. */
export function addBalance(state: NodeState, address: Address, amount: bigint): NodeState {
  return editState(state, (world) => {
    const balance = readAccount(world, address).balance + amount
    if (balance > MAX_UINT256) {
      throw failure('invalidCall', {
        call: 'addBalance',
        reason: `expected a sum below 2^256, got ${balance}`,
      })
    }
    return withAccount(world, address, { balance })
  })
}

/** Switches a feature of Base's native contracts. */
export function setFeature(state: NodeState, feature: B20Feature, isOn: boolean): NodeState {
  return editState(state, (world) =>
    world.set(ACTIVATION_REGISTRY, withFeature(readAccount(world, ACTIVATION_REGISTRY), feature, isOn)),
  )
}

export function setCode(state: NodeState, address: Address, code: Uint8Array): NodeState {
  return editState(state, (world) => withAccount(world, address, { code: makeCode(code) }))
}

/** Transactions with lower nonces leave the pool: they can never execute. */
export function setNonce(state: NodeState, address: Address, nonce: bigint): NodeState {
  const edited = editState(state, (world) => withAccount(world, address, { nonce }))
  return { ...edited, pool: removeBelow(edited.pool, address, nonce) }
}

/** Hardhat's conditions for a new nonce: it is not lower, and the pool is empty. */
export function checkNonceRaised(state: NodeState, address: Address, nonce: bigint): void {
  const { nonce: current } = readAccount(pendingWorld(state), address)
  if (state.pool.byHash.size > 0) throw failure('nonceWithPooled')
  if (nonce < current) throw failure('nonceLowered', { nonce, current })
}

function isContract(world: WorldState, address: Address): boolean {
  return readAccount(world, address).code.bytes.length > 0
}

/**
 * Sets a slot. The value has no leading zeros, and is empty for zero. If only the block being built has the contract,
 * the head's state is not edited: storage there would keep the contract from being created again (EIP-7610).
 */
export function setStorageAt(state: NodeState, address: Address, slot: Hash, value: Uint8Array): NodeState {
  const isDeployed = isContract(pendingWorld(state), address)
  const isOnlyPending = isDeployed && !isContract(state.chain.head.committed.state, address)
  // A rollup's deposits have created it: they must not be executed again on a state without the edit.
  return editState(isOnlyPending ? beginWithOpening(state) : state, (world) => {
    if (isDeployed && !isContract(world, address)) return world
    const { storage } = readAccount(world, address)
    // Synthetic roots of a fork need the value before, and some who ask for them cannot wait for it.
    if (storage.get(slot) === undefined && value.length === 0) return world
    return withAccount(world, address, {
      storage: value.length === 0 ? storage.delete(slot) : storage.set(slot, value),
    })
  })
}
