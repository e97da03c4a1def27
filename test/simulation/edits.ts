// Account edits in a simulation: their effects, and that nothing else changes accounts.

import assert from 'node:assert/strict'
import { blockAt } from '../../src/core/chain/chain.ts'
import type { NodeState } from '../../src/core/node/node-state.ts'
import { type Address, bytesToHex, type Hex } from '../../src/core/primitives/hex.ts'
import { readAccount, type WorldState } from '../../src/core/state/world-state.ts'
import type { Emulator } from '../../src/index.ts'
import type { Edit } from './commands.ts'
import type { Story } from './story.ts'

export function totalOf(world: WorldState): bigint {
  let total = 0n
  for (const account of world.values()) total += account.balance
  return total
}

interface PlainAccount {
  readonly nonce: bigint
  readonly balance: bigint
  readonly code: Hex
  /** Slots that are not zero. */
  readonly storage: Readonly<Record<string, bigint>>
}

function plainAccount(world: WorldState, address: Address): PlainAccount {
  const { nonce, balance, code, storage } = readAccount(world, address)
  const slots = [...storage.entries()].map(([slot, value]) => [slot, BigInt(bytesToHex(value))] as const)
  return { nonce, balance, code: bytesToHex(code.bytes), storage: Object.fromEntries(slots) }
}

/** An empty account, which does not exist in the state (EIP-161). */
function isEmpty({ nonce, balance, code, storage }: PlainAccount): boolean {
  return nonce === 0n && balance === 0n && code === '0x' && Object.keys(storage).length === 0
}

function edited(account: PlainAccount, edit: Exclude<Edit, { sets: 'token' }>): PlainAccount {
  switch (edit.sets) {
    case 'balance':
      return { ...account, balance: BigInt(edit.to) }
    case 'addedBalance':
      return { ...account, balance: account.balance + BigInt(edit.to) }
    case 'nonce':
      return { ...account, nonce: BigInt(edit.to) }
    case 'code':
      return { ...account, code: edit.to }
    case 'storage': {
      const { [edit.slot]: _, ...others } = account.storage
      const value = BigInt(edit.to)
      return { ...account, storage: value === 0n ? others : { ...others, [edit.slot]: value } }
    }
  }
}

/** Accounts that differ between two states. */
function changedBetween(before: WorldState, after: WorldState): Set<Address> {
  const addresses = [...before.entries(), ...after.entries()].map(([address]) => address)
  return new Set(addresses.filter((address) => before.get(address) !== after.get(address)))
}

/** One account has the requested values, and all others are unchanged. */
function checkWorld(before: WorldState, after: WorldState, edit: Edit, scope: 'head' | 'open'): void {
  const changed = changedBetween(before, after)
  if (edit.sets === 'token') {
    for (const address of changed) {
      const { storage: _, ...was } = plainAccount(before, address)
      const { storage: __, ...is } = plainAccount(after, address)
      assert.deepEqual(is, was, 'a token is dealt in storage')
    }
    return
  }
  const { address } = edit
  changed.delete(address)
  assert.deepEqual([...changed], [], 'an edit is of one account')
  const was = plainAccount(before, address)
  const is = plainAccount(after, address)
  assert.deepEqual(is, edited(was, edit), `${edit.sets} of ${address} in the ${scope} block`)
  assert.equal(after.get(address) === undefined, isEmpty(is))
}

/** Executed transactions, the pool and the controls are unchanged. */
function checkSurroundings(before: NodeState, after: NodeState, edit: Edit): void {
  assert.equal(after.chain.head.header, before.chain.head.header)
  assert.equal(after.chain.head.hash, before.chain.head.hash)
  assert.equal(after.chain.head.executed, before.chain.head.executed)
  assert.equal(after.chain.transactions, before.chain.transactions)
  assert.equal(after.chain.open?.executed, before.chain.open?.executed)
  assert.equal(after.chain.open?.environment, before.chain.open?.environment)
  const { chain: _, pool: poolBefore, rollup: rollupBefore, ...restBefore } = before
  const { chain: __, pool: poolAfter, rollup: rollupAfter, ...restAfter } = after
  // The deposits that open a block are executed again on the edited state.
  const executed = { opening: undefined, plan: undefined, isOpeningTold: false }
  assert.deepEqual({ ...rollupAfter, ...executed }, { ...rollupBefore, ...executed }, 'the layer 1 stays')
  for (const [name, value] of Object.entries(restAfter)) {
    assert.equal(value, restBefore[name as keyof typeof restBefore], `${name} stays`)
  }
  const isLeft = ({ sender, nonce }: { sender: Address; nonce: bigint }): boolean =>
    edit.sets !== 'nonce' || sender !== edit.address || nonce >= BigInt(edit.to)
  const hashes = [...poolBefore.byHash.values()].filter(({ transaction }) => isLeft(transaction))
  assert.deepEqual([...poolAfter.byHash.values()], hashes, 'what can still be in a block waits')
}

/** A contract that exists only in the open block is edited there alone. */
function isForOpenAlone(before: NodeState, edit: Edit): boolean {
  const { head, open } = before.chain
  if (edit.sets !== 'storage' || open === undefined) return false
  const hasCode = (world: WorldState): boolean => readAccount(world, edit.address).code.bytes.length > 0
  return hasCode(open.state) && !hasCode(head.committed.state)
}

/** JSON-RPC shows the edit in the sealed and in the pre-confirmed state. */
async function checkShown(
  chain: Emulator,
  edit: Edit,
  blocks: readonly ('latest' | 'pending')[],
): Promise<void> {
  for (const block of blocks) {
    if (edit.sets === 'token') {
      const clone = chain.clone()
      await clone.clearFaults()
      const answer = await clone.request('eth_call', [{ to: edit.token, data: edit.call }, block])
      clone.dispose()
      assert.equal(BigInt(answer), BigInt(edit.to), `the token answers in ${block}`)
    }
    const shown =
      edit.sets === 'balance'
        ? chain.request('eth_getBalance', [edit.address, block])
        : edit.sets === 'nonce'
          ? chain.request('eth_getTransactionCount', [edit.address, block])
          : edit.sets === 'storage'
            ? chain.request('eth_getStorageAt', [edit.address, edit.slot, block])
            : undefined
    if (shown !== undefined && edit.sets !== 'token') assert.equal(BigInt(await shown), BigInt(edit.to))
    if (edit.sets === 'code') assert.equal(await chain.request('eth_getCode', [edit.address, block]), edit.to)
  }
}

/** Checks an edit, and records the changes of the open block that its transactions do not explain. */
export async function checkEdit(
  chain: Emulator,
  before: NodeState,
  after: NodeState,
  edit: Edit,
  story: Story,
): Promise<void> {
  checkSurroundings(before, after, edit)
  const [headBefore, headAfter] = [before.chain.head.committed.state, after.chain.head.committed.state]
  const isOpenAlone = isForOpenAlone(before, edit)
  if (isOpenAlone) assert.deepEqual([...changedBetween(headBefore, headAfter)], [])
  else checkWorld(headBefore, headAfter, edit, 'head')
  const [openBefore, openAfter] = [before.chain.open?.state, after.chain.open?.state]
  if (edit.sets === 'nonce' && BigInt(edit.to) < readAccount(openBefore ?? headBefore, edit.address).nonce) {
    story.lowered = new Set([...story.lowered, edit.address])
  }
  if (openBefore !== undefined && openAfter !== undefined) {
    checkWorld(openBefore, openAfter, edit, 'open')
    const gained = (was: WorldState, is: WorldState): bigint => totalOf(is) - totalOf(was)
    const { gain, accounts } = story.edited
    story.edited = {
      gain: gain + gained(openBefore, openAfter) - gained(headBefore, headAfter),
      accounts: edit.sets === 'token' ? accounts : new Set([...accounts, edit.address]),
    }
  }
  // Deposits that open a block are executed on the edited state.
  const isOpeningAlone = openAfter === undefined && after.rollup !== undefined
  if (isOpeningAlone) return checkShown(chain, edit, ['latest'])
  const isDeployed = edit.sets !== 'token' || readAccount(headAfter, edit.token).code.bytes.length > 0
  await checkShown(chain, edit, isOpenAlone || !isDeployed ? ['pending'] : ['latest', 'pending'])
}

/** A sealed block keeps its accounts, except for edits. */
export function checkUnedited(before: NodeState, after: NodeState): void {
  const number = Math.min(before.chain.head.header.number, after.chain.head.header.number)
  const [was, is] = [blockAt(before.chain, number), blockAt(after.chain, number)]
  if (was === is || was === undefined || is === undefined || was.hash !== is.hash) return
  const [stateBefore, stateAfter] = [was.committed.state, is.committed.state]
  // A block of a run is built on a read.
  for (const address of changedBetween(stateBefore, stateAfter)) {
    const [then, now] = [plainAccount(stateBefore, address), plainAccount(stateAfter, address)]
    assert.deepEqual(now, then, 'no account of a sealed block changes')
  }
}
