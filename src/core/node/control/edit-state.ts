// Edits of accounts outside any transaction. They apply to the state of the head, whose header and hash stay, and to
// that of the block being built (docs/decisions/0009-edits-outside-transactions.md). The balance of an ERC-20 token is
// set whatever its storage layout: the slot is found by calls.

import { editOpenBlock, type OpenBlock } from '../../chain/block/block.ts'
import * as chains from '../../chain/chain.ts'
import { withCommitted } from '../../chain/runs/runs.ts'
import * as callRuns from '../../execution/call/run-call.ts'
import { queryNumber } from '../../execution/call/run-call.ts'
import { environmentWith } from '../../execution/evm/pooled-evm.ts'
import { removeBelow } from '../../pool/pool.ts'
import { failure } from '../../primitives/errors.ts'
import * as hex from '../../primitives/hex.ts'
import { MAX_UINT256 } from '../../primitives/numbers.ts'
import { ACTIVATION_REGISTRY, type B20Feature, withFeature } from '../../rollup/base/features.ts'
import { commitStateLater } from '../../state/state-tries.ts'
import * as worlds from '../../state/world-state.ts'
import { hasCode, readAccount, type WorldState } from '../../state/world-state.ts'
import * as states from '../node-state.ts'
import { beginWithOpening } from '../rollup/opening.ts'

type Edit = (world: WorldState) => WorldState

/** Edits the state of the head and, if a block has begun, of the block being built. */
export function editState(state: states.NodeState, edit: Edit): states.NodeState {
  const { head, open } = state.chain
  const { committed } = head
  const edited = withCommitted(head, commitStateLater(committed, edit(committed.state)))
  // Its transactions are executed again from the edits that were between them.
  const parent = head.edits === undefined ? edited : { ...edited, edits: head.edits }
  const chain = chains.replaceHead(state.chain, parent)
  if (open === undefined) return { ...state, chain }
  return { ...state, chain: { ...chain, open: editOpenBlock(open, parent, edit(open.state)) } }
}

/** The state with fields of an account changed. An account that becomes empty is deleted (EIP-161). */
function withAccount(world: WorldState, address: hex.Address, changes: Partial<worlds.Account>): WorldState {
  const edited = worlds.updateAccount(world, address, changes)
  const account = readAccount(edited, address)
  return worlds.isDead(account) && account.storage.isEmpty ? edited.delete(address) : edited
}

export function setBalance(state: states.NodeState, address: hex.Address, balance: bigint): states.NodeState {
  return editState(state, (world) => withAccount(world, address, { balance }))
}

/** Throws `invalidCall` if the balance would not fit 256 bits. */
export function addBalance(state: states.NodeState, address: hex.Address, amount: bigint): states.NodeState {
  return editState(state, (world) => {
    const balance = readAccount(world, address).balance + amount
    const reason = `expected a sum below 2^256, got ${balance}`
    if (balance > MAX_UINT256) throw failure('invalidCall', { call: 'addBalance', reason })
    return withAccount(world, address, { balance })
  })
}

export function setFeature(state: states.NodeState, feature: B20Feature, isOn: boolean): states.NodeState {
  return editState(state, (world) =>
    world.set(ACTIVATION_REGISTRY, withFeature(readAccount(world, ACTIVATION_REGISTRY), feature, isOn)),
  )
}

export function setCode(state: states.NodeState, address: hex.Address, code: Uint8Array): states.NodeState {
  return editState(state, (world) => withAccount(world, address, { code: worlds.makeCode(code) }))
}

/** Transactions with lower nonces leave the pool: they can never execute. */
export function setNonce(state: states.NodeState, address: hex.Address, nonce: bigint): states.NodeState {
  const edited = editState(state, (world) => withAccount(world, address, { nonce }))
  return { ...edited, pool: removeBelow(edited.pool, address, nonce) }
}

/** Hardhat's conditions for a new nonce: it is not lower, and the pool is empty. */
export function checkNonceRaised(state: states.NodeState, address: hex.Address, nonce: bigint): void {
  const { nonce: current } = readAccount(states.pendingWorld(state), address)
  if (state.pool.byHash.size > 0) throw failure('nonceWithPooled')
  if (nonce < current) throw failure('nonceLowered', { nonce, current })
}

/**
 * Sets a slot. The value has no leading zeros, and is empty for zero. If only the block being built has the contract,
 * the head's state is not edited: storage there would keep the contract from being created again (EIP-7610).
 */
export function setStorageAt(
  state: states.NodeState,
  address: hex.Address,
  slot: hex.Hash,
  value: Uint8Array,
): states.NodeState {
  const isDeployed = hasCode(states.pendingWorld(state), address)
  const isOnlyPending = isDeployed && !hasCode(state.chain.head.committed.state, address)
  // A rollup's deposits have created it: they must not be executed again on a state without the edit.
  return editState(isOnlyPending ? beginWithOpening(state) : state, (world) => {
    if (isDeployed && !hasCode(world, address)) return world
    const { storage } = readAccount(world, address)
    // Synthetic roots of a fork need the value before, and some who ask for them cannot wait for it.
    if (storage.get(slot) === undefined && value.length === 0) return world
    return withAccount(world, address, {
      storage: value.length === 0 ? storage.delete(slot) : storage.set(slot, value),
    })
  })
}

/** A call of a token (EIP-20), and the name of its answer in errors. */
function queryOf(token: hex.Address, what: string, selector: string, ...of: hex.Address[]) {
  const words = of.map((address) => hex.padLeft(hex.hexToBytes(address), 32))
  return { contract: token, what, input: hex.concatBytes(hex.hexToBytes(selector), ...words) }
}

export type QueryPlace = Pick<OpenBlock, 'rules' | 'environment' | 'state'>

/** Token calls at a place in a block, without a gas price. */
export function queryContextAt(state: states.NodeState, { rules, environment, state: own }: QueryPlace) {
  const free = environmentWith(environment, { baseFeePerGas: 0n })
  return { execution: states.executionContext(state, rules), environment: free, state: own }
}

/** The present answer; throws `tokenNotSettable` if there is none. */
async function currentAnswer(state: states.NodeState, query: ReturnType<typeof queryOf>): Promise<bigint> {
  const { contract, what } = query
  const place = queryContextAt(state, states.currentOpenBlock(state))
  const refuse = (reason: string): never => {
    throw failure('tokenNotSettable', { token: contract, what, reason })
  }
  if (readAccount(place.state, contract).code.bytes.length === 0) refuse('there is no code at this address')
  return (await queryNumber(place, query)) ?? refuse('it does not answer what ERC-20 says')
}

/** Makes a token answer a call with a number; throws `tokenNotSettable`. */
async function setAnswer(state: states.NodeState, query: ReturnType<typeof queryOf>, number: bigint) {
  await currentAnswer(state, query)
  const { contract: token, what } = query
  const place = queryContextAt(state, states.currentOpenBlock(state))
  const found = await callRuns.findSlot(place, query)
  if (found === undefined) {
    const reason = 'no storage slot holds it by itself; it is packed with something else, or worked out'
    throw failure('tokenNotSettable', { token, what, reason })
  }
  const fits = number >= 0n && number <= MAX_UINT256
  if (!fits || (await queryNumber(callRuns.withSlotWritten(place, found, number), query)) !== number)
    throw failure('tokenNotSettable', { token, what, reason: `${number} does not fit it` })
  const { address, slot } = found
  return setStorageAt(state, address, slot, hex.bigIntToBytes(number))
}

export interface Deal {
  readonly token: hex.Address
  readonly to: hex.Address
  readonly amount: bigint
  /** The total supply: unchanged, or changed by the same amount. */
  readonly supply: 'kept' | 'adjusted'
}

/** Gives an account a balance of a token; throws `tokenNotSettable`. */
export async function dealToken(state: states.NodeState, { token, to, amount, supply }: Deal) {
  const balance = queryOf(token, `balance of ${to}`, '0x70a08231', to)
  const dealt = await setAnswer(state, balance, amount)
  if (supply === 'kept') return dealt
  const totalSupply = queryOf(token, 'total supply', '0x18160ddd')
  const before = await currentAnswer(state, balance)
  const total = await currentAnswer(state, totalSupply)
  return setAnswer(dealt, totalSupply, total - before + amount)
}

export interface Allowance {
  readonly token: hex.Address
  readonly owner: hex.Address
  readonly spender: hex.Address
  readonly amount: bigint
}

/** Gives a spender an allowance of a token; throws `tokenNotSettable`. */
export function setAllowance(state: states.NodeState, { token, owner, spender, amount }: Allowance) {
  const what = `allowance of ${spender} from ${owner}`
  return setAnswer(state, queryOf(token, what, '0xdd62ed3e', owner, spender), amount)
}
