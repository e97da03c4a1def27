// Execution witnesses: what a stateless node needs to execute a block and to compute its state root. A sum of what the
// transactions read, and of what the protocol reads and writes around them.

import type { SealedBlock } from '../chain/block/block.ts'
import { type BlockView, blockAt } from '../chain/chain.ts'
import { recoverAuthority } from '../execution/evm/run-message.ts'
import { type Accesses, type AccessRecord, createAccessRecord } from '../execution/trace/accesses.ts'
import { observe } from '../execution/trace/observe.ts'
import { collectRequests, REQUEST_CONTRACTS } from '../execution/transaction/execution-requests.ts'
import { paidAccounts } from '../execution/transaction/rollup-fees.ts'
import type { Transaction } from '../execution/transaction/transaction.ts'
import * as hex from '../primitives/hex.ts'
import { encodeHeader } from '../rollup/header.ts'
import { isForkActive } from '../rollup/rules.ts'
import { SYSTEM_ADDRESS, startWrites } from '../rollup/system-contracts.ts'
import { expectPaths } from '../state/proofs.ts'
import { type CommittedState, storageTrieOf, trieKeyOf } from '../state/state-tries.ts'
import { isOnPath, trieProof } from '../state/trie.ts'
import { encodeNode, HASH_BYTES, meet, nibbleAt, type Trie, type TrieNode } from '../state/trie-nodes.ts'
import { delegateOf, readAccount, type WorldState } from '../state/world-state.ts'
import { requireParent } from './lookup.ts'
import { executionContext, type NodeState } from './node-state.ts'
import { replayTransactions } from './replay.ts'

/** RLP of nodes by itself as hex. */
export type NodeSet = Map<hex.Hex, Uint8Array>

/** True if a node stays if keys are removed from it. Collects the nodes that remain alone below a branch. */
function staysWithout(place: TrieNode, removed: readonly Uint8Array[], depth: number, alone: TrieNode[]) {
  if (removed.length === 0) return true
  const node = meet(place)
  switch (node.kind) {
    case 'leaf':
      return !removed.some((key) => hex.equalBytes(key, node.key))
    case 'extension': {
      const below = removed.filter((key) => isOnPath(node, key, depth))
      // A key that is added beside the path and removed again makes a branch above the child, and unmakes it.
      if (below.length < removed.length) alone.push(node.child)
      return staysWithout(node.child, below, depth + node.path.length, alone)
    }
    case 'branch': {
      const left = node.children.filter((child, nibble): child is TrieNode => {
        if (child === undefined) return false
        const below = removed.filter((key) => nibbleAt(key, depth) === nibble)
        return staysWithout(child, below, depth + 1, alone)
      })
      // A branch with one child becomes part of it, so the child has to be known.
      if (left.length === 1) alone.push(...left)
      return left.length > 0
    }
  }
}

/** Adds the nodes from the root to each key, and those that a removal of keys merges with their parents. */
export function addWitness(
  nodes: NodeSet,
  trie: Trie,
  read: readonly Uint8Array[],
  removed: readonly Uint8Array[],
): void {
  if (trie === undefined) return
  const alone: TrieNode[] = []
  staysWithout(trie, removed, 0, alone)
  // Shorter nodes are part of their parents.
  const merged = alone.map((node) => encodeNode(meet(node))).filter(({ length }) => length >= HASH_BYTES)
  for (const node of [...read.flatMap((key) => trieProof(trie, key)), ...merged])
    nodes.set(hex.bytesToHex(node), node)
}

/** Slots with the fees, counts and ends of the queues in the request contracts (EIP-7002, EIP-7251). */
const REQUEST_SLOTS: readonly hex.Hash[] = [0, 1, 2, 3].map(hex.toWord)

/** Records what the protocol reads and writes before and after the transactions. */
function recordProtocol({ touch, readCode }: AccessRecord, { environment }: BlockView, block: SealedBlock) {
  const { rules, body, header } = block
  for (const address of paidAccounts(rules, header)) touch(address)
  const { rollup } = rules
  if (rollup !== undefined) touch(rollup.stack.attributes.contract, ...rollup.stack.feeSlots)
  if (rollup?.changes.withdrawalsFrom !== undefined) touch(rollup.changes.withdrawalsFrom)
  const writes = startWrites(rules, environment)
  if (writes.length > 0) touch(SYSTEM_ADDRESS)
  for (const { address, slots } of writes) {
    readCode(address)
    touch(address, ...slots.map(([slot]) => slot))
  }
  for (const { address } of body.withdrawals) touch(address)
  for (const uncle of body.uncles) touch(uncle.header.coinbase)
  if (!isForkActive(rules, 'prague') || rollup !== undefined) return
  for (const [, contract] of REQUEST_CONTRACTS) {
    readCode(contract)
    touch(contract, ...REQUEST_SLOTS)
  }
}

/** Records what a transaction names, whether its execution reads it or not. */
function recordTransaction({ touch, readCode }: AccessRecord, transaction: Transaction): void {
  const { sender, to, accessList, authorizationList } = transaction
  readCode(sender)
  if (to !== undefined) readCode(to)
  for (const { address, storageKeys } of accessList) touch(address, ...storageKeys)
  for (const authorization of authorizationList) {
    const authority = recoverAuthority(authorization)
    if (authority !== undefined) readCode(authority)
  }
}

/** The contracts whose code runs in place of that of delegated accounts (EIP-7702). */
function recordDelegates(record: AccessRecord, states: readonly WorldState[]): void {
  for (const address of [...record.accesses().codeReads]) {
    for (const state of states) {
      const delegate = delegateOf(readAccount(state, address).code.bytes)
      if (delegate !== undefined) record.readCode(delegate)
    }
  }
}

/** Nodes for accounts and their slots; keys that one of the states lacks, or that were cleared between, may be removed. */
function nodesFor(committed: CommittedState, { accounts, cleared }: Accesses, later: readonly WorldState[]) {
  expectPaths(committed, accounts)
  const { state, accountTrie } = committed
  const nodes: NodeSet = new Map()
  const keysOf = (hexes: Iterable<hex.Hex>): Uint8Array[] => Array.from(hexes, trieKeyOf)
  const addresses = [...accounts.keys()]
  const states = [state, ...later]
  // An account that no state has may be there within a transaction, empty, until the transaction ends.
  const gone = addresses.filter((address) => !states.every((each) => each.has(address)))
  addWitness(nodes, accountTrie, keysOf(addresses), keysOf(gone))
  for (const [address, slots] of accounts) {
    const zeroed = [...slots].filter(
      (slot) =>
        cleared.get(address)?.has(slot) === true ||
        !states.every((each) => readAccount(each, address).storage.has(slot)),
    )
    addWitness(nodes, storageTrieOf(committed, address), keysOf(slots), keysOf(zeroed))
  }
  return nodes.values()
}

function codesOf(state: WorldState, addresses: Iterable<hex.Address>): Iterable<Uint8Array> {
  const codes = new Map<hex.Hash, Uint8Array>()
  for (const address of addresses) {
    const { code } = readAccount(state, address)
    if (code.bytes.length > 0) codes.set(hex.bytesToHex(code.hash), code.bytes)
  }
  return codes.values()
}

function headersFrom({ chain }: NodeState, lowest: number, parent: SealedBlock): Uint8Array[] {
  const headers = [encodeHeader(parent.rules, parent.header)]
  for (let { number } = parent.header; number > Math.max(lowest, chain.first); number--) {
    const { rules, header } = blockAt(chain, number - 1) as SealedBlock
    headers.push(encodeHeader(rules, header))
  }
  return headers.reverse()
}

/** The witness of a block, sealed or open; throws `noParentBlock` for the first, and as `replay` does. */
export async function executionWitness(state: NodeState, view: BlockView) {
  const parent = requireParent(state, view)
  const block = view.block()
  const { environment, executed } = view
  const record = createAccessRecord()
  recordProtocol(record, view, block)
  for (const { transaction } of executed) recordTransaction(record, transaction)
  const observer = record.observerIn(environment.number)
  const range = { from: 0, to: executed.length }
  const replayed = await replayTransactions(state, view, range, () => ({ observer }))
  if (block.body.requests.length > 0) {
    const context = executionContext(state, block.rules)
    const last = replayed.at(-1)?.after ?? view.state
    await collectRequests(context, last, environment, executed, (instance, run) =>
      observe(instance, observer, run),
    )
  }
  const later = [...replayed.map(({ after }) => after), view.state]
  const before = parent.committed
  recordDelegates(record, [before.state, ...later])
  const accesses = record.accesses()
  const { accounts, codeReads, lowestBlock } = accesses
  return {
    /** RLP of the nodes of the account trie and the storage tries before the block. */
    state: [...nodesFor(before, accesses, later)],
    /** Codes that existed before the block. */
    codes: [...codesOf(before.state, codeReads)],
    /** Each address, followed by its slots. */
    keys: [...accounts].flatMap(([address, slots]) => [address, ...slots].map(hex.hexToBytes)),
    /** RLP of the headers from the oldest whose hash was read up to the parent. */
    headers: headersFrom(state, lowestBlock ?? parent.header.number, parent),
  }
}
