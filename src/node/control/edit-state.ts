// Edits of accounts outside any transaction, as a test makes them. What is edited is the state that `latest` shows,
// with its header and hash kept, and with it the state of the block being built;
// docs/decisions/0009-edits-outside-transactions.md.

import { replaceHead } from '../../chain/chain.ts'
import { withCommitted } from '../../chain/runs/runs.ts'
import { queueOf, removeBelow } from '../../pool/pool.ts'
import { failure } from '../../primitives/errors.ts'
import type { Address, Hash } from '../../primitives/hex.ts'
import { type Account, makeCode } from '../../state/account.ts'
import { commitStateLater } from '../../state/state-tries.ts'
import { readAccount, type WorldState } from '../../state/world-state.ts'
import type { NodeState } from '../node-state.ts'

/** What an edit makes of a state. */
type Edit = (world: WorldState) => WorldState

const MAX_UINT256 = 2n ** 256n - 1n

/** The state as pre-confirmed. */
export function pendingWorld({ chain }: NodeState): WorldState {
  return chain.open?.state ?? chain.head.committed.state
}

/** Edits the state of the head, and that of the block being built if it has begun. */
export function editState(state: NodeState, edit: Edit): NodeState {
  const { head, open } = state.chain
  const { committed } = head
  const parent = withCommitted(head, commitStateLater(committed, edit(committed.state)))
  const chain = replaceHead(state.chain, parent)
  if (open === undefined) return { ...state, chain }
  return { ...state, chain: { ...chain, open: { ...open, parent, state: edit(open.state) } } }
}

/** The state with fields of an account changed; an account that is left with nothing is not there (EIP-161). */
function withAccount(world: WorldState, address: Address, changes: Partial<Account>): WorldState {
  const account = { ...readAccount(world, address), ...changes }
  const { nonce, balance, code, storage } = account
  const isEmpty = nonce === 0n && balance === 0n && code.bytes.length === 0 && storage.size === 0
  return isEmpty ? world.delete(address) : world.set(address, account)
}

export function setBalance(state: NodeState, address: Address, balance: bigint): NodeState {
  return editState(state, (world) => withAccount(world, address, { balance }))
}

/** Throws `invalidCall` where the balance would not fit 256 bits. */
export function addBalance(state: NodeState, address: Address, amount: bigint): NodeState {
  return editState(state, (world) => {
    const balance = readAccount(world, address).balance + amount
    if (balance > MAX_UINT256) {
      throw failure('invalidCall', {
        call: 'addBalance',
        expected: 'a sum below 2^256',
        given: String(balance),
      })
    }
    return withAccount(world, address, { balance })
  })
}

export function setCode(state: NodeState, address: Address, code: Uint8Array): NodeState {
  return editState(state, (world) => withAccount(world, address, { code: makeCode(code) }))
}

/** Transactions below the nonce leave the pool: they can never be in a block. */
export function setNonce(state: NodeState, address: Address, nonce: bigint): NodeState {
  const edited = editState(state, (world) => withAccount(world, address, { nonce }))
  return { ...edited, pool: removeBelow(edited.pool, address, nonce) }
}

/** What Hardhat asks of a new nonce: it is not lower, and nothing of the account waits. */
export function checkNonceRaised(state: NodeState, address: Address, nonce: bigint): void {
  const { nonce: current } = readAccount(pendingWorld(state), address)
  if (queueOf(state.pool, address).transactions.length > 0) throw failure('nonceWithPooled')
  if (nonce < current) throw failure('nonceLowered', { nonce, current })
}

function isContract(world: WorldState, address: Address): boolean {
  return readAccount(world, address).code.bytes.length > 0
}

/**
 * Sets a slot; a value is given without leading zeros, and empty for zero. A contract that only the block being built
 * has gets it there alone: storage where it is not yet would keep it from being created again (EIP-7610).
 */
export function setStorageAt(state: NodeState, address: Address, slot: Hash, value: Uint8Array): NodeState {
  const isDeployed = isContract(pendingWorld(state), address)
  return editState(state, (world) => {
    if (isDeployed && !isContract(world, address)) return world
    const { storage } = readAccount(world, address)
    return withAccount(world, address, {
      storage: value.length === 0 ? storage.delete(slot) : storage.set(slot, value),
    })
  })
}
