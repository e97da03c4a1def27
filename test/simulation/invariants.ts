// What must hold whatever is done to a chain. Blocks, receipts and balances are those that a user sees; only the
// sums over all accounts, the pool and the state root look behind the public surface.

import assert from 'node:assert/strict'
import { MerkleStateManager } from '@ethereumjs/statemanager'
import { createAddressFromString, Account as EvmAccount } from '@ethereumjs/util'
import { blockAt } from '../../src/chain/chain.ts'
import { maximumCost } from '../../src/execution/transaction.ts'
import type { Emulator } from '../../src/index.ts'
import { Node } from '../../src/node/node.ts'
import type { NodeState } from '../../src/node/node-state.ts'
import { type Address, bytesToHex, type Hash, hexToBytes } from '../../src/primitives/hex.ts'
import type { RpcBlock } from '../../src/rpc/format/block.ts'
import type { RpcReceipt } from '../../src/rpc/format/receipt.ts'
import type { RpcTransaction } from '../../src/rpc/format/transaction.ts'
import { commitState, EMPTY_COMMITTED_STATE, stateRoot } from '../../src/state/state-tries.ts'
import type { WorldState } from '../../src/state/world-state.ts'
import { checkFates } from './fates.ts'
import { senders } from './generator.ts'
import type { Story } from './story.ts'

/** The state behind a chain: taking a snapshot reads the node, which is how it is come by. */
export function stateOf(chain: Emulator): NodeState {
  let state: NodeState | undefined
  const { read } = Node.prototype
  Node.prototype.read = function (this: Node, use) {
    state = this.state
    return read.call(this, use) as ReturnType<typeof use>
  } as typeof read
  try {
    chain.snapshot()
  } finally {
    Node.prototype.read = read
  }
  assert(state !== undefined)
  return state
}

interface Fees {
  readonly burnt: bigint
  readonly tips: bigint
}

/** What has been found in order, so that a block is looked at once. */
export interface Ledger {
  readonly total: bigint
  readonly feesUpTo: Map<Hash, Fees>
}

function add(a: Fees, b: Fees): Fees {
  return { burnt: a.burnt + b.burnt, tips: a.tips + b.tips }
}

function totalOf(state: WorldState): bigint {
  let total = 0n
  for (const account of state.values()) total += account.balance
  return total
}

export function createLedger(chain: Emulator): Ledger {
  const { head } = stateOf(chain).chain
  return {
    total: totalOf(head.committed.state),
    feesUpTo: new Map([[head.hash, { burnt: 0n, tips: 0n }]]),
  }
}

interface Look {
  readonly chain: Emulator
  readonly state: NodeState
  readonly ledger: Ledger
}

function checkReceipt(
  block: RpcBlock,
  transaction: RpcTransaction,
  receipt: RpcReceipt,
  before: { readonly gas: bigint; readonly logs: number; readonly index: number },
): void {
  assert.equal(receipt.transactionHash, transaction.hash)
  assert.equal(receipt.blockHash, block.hash)
  assert.equal(receipt.blockNumber, block.number)
  assert.equal(Number(receipt.transactionIndex), before.index)
  assert.equal(Number(transaction.transactionIndex), before.index)
  const gasUsed = BigInt(receipt.gasUsed)
  assert.equal(BigInt(receipt.cumulativeGasUsed), before.gas + gasUsed, 'cumulative gas')
  assert(gasUsed <= BigInt(transaction.gas) && gasUsed >= 21_000n, 'gas used')
  for (const [position, log] of receipt.logs.entries()) {
    assert.equal(Number(log.logIndex), before.logs + position, 'log index')
    assert.equal(log.transactionIndex, receipt.transactionIndex)
    assert.equal(log.blockHash, block.hash)
    assert.equal(log.blockTimestamp, block.timestamp)
  }
  if (receipt.status === '0x0') assert.equal(receipt.logs.length, 0)
}

/** EIP-1559: what the sender pays per gas. */
function priceOf(transaction: RpcTransaction, baseFee: bigint): bigint {
  const feeCap = BigInt(transaction.maxFeePerGas ?? transaction.gasPrice)
  const tip = BigInt(transaction.maxPriorityFeePerGas ?? transaction.gasPrice)
  return feeCap < baseFee + tip ? feeCap : baseFee + tip
}

/** EIP-1559, section "Specification", with its constants. */
function baseFeeAfter(parent: RpcBlock): bigint {
  const [baseFee, used, limit] = [parent.baseFeePerGas!, parent.gasUsed, parent.gasLimit].map(BigInt) as [
    bigint,
    bigint,
    bigint,
  ]
  const target = limit / 2n
  if (used === target) return baseFee
  if (used < target) return baseFee - (baseFee * (target - used)) / target / 8n
  const rise = (baseFee * (used - target)) / target / 8n
  return baseFee + (rise > 1n ? rise : 1n)
}

/** Nonces after a transaction: its sender's, and of each account that it carries a valid authorization of. */
function countNonces(nonces: Map<Address, bigint>, transaction: RpcTransaction, signers: Signers): void {
  assert.equal(BigInt(transaction.nonce), nonces.get(transaction.from), 'nonce')
  nonces.set(transaction.from, BigInt(transaction.nonce) + 1n)
  for (const authorization of transaction.authorizationList ?? []) {
    const authority = signers.get(authorization.r)
    const isForThisChain = [0, Number(transaction.chainId)].includes(Number(authorization.chainId))
    if (authority === undefined || !isForThisChain) continue
    if (nonces.get(authority) === BigInt(authorization.nonce))
      nonces.set(authority, BigInt(authorization.nonce) + 1n)
  }
}

/** Who signed an authorization, by the r of its signature. */
export type Signers = ReadonlyMap<string, Address>

async function accountsAt(chain: Emulator, block: string) {
  const nonces = new Map<Address, bigint>()
  const balances = new Map<Address, bigint>()
  for (const sender of senders) {
    nonces.set(sender, BigInt(await chain.request('eth_getTransactionCount', [sender, block as 'latest'])))
    balances.set(sender, BigInt(await chain.request('eth_getBalance', [sender, block as 'latest'])))
  }
  return { nonces, balances }
}

function move(balances: Map<Address, bigint>, account: Address | null, amount: bigint): void {
  const balance = account === null ? undefined : balances.get(account)
  if (account !== null && balance !== undefined) balances.set(account, balance + amount)
}

/** Checks a block against its parent, both as JSON-RPC shows them, and answers its fees. */
async function checkBlock(
  { chain, state }: Look,
  signers: Signers,
  parent: RpcBlock,
  block: RpcBlock,
  name: string,
): Promise<Fees> {
  const receipts: readonly RpcReceipt[] | null = await chain.request('eth_getBlockReceipts', [
    name as 'latest',
  ])
  assert(receipts !== null)
  assert.equal(Number(block.number), Number(parent.number) + 1)
  assert.equal(block.parentHash, parent.hash)
  const least = Number(parent.timestamp) + (state.settings.blockTimeMs < 1000 ? 0 : 1)
  assert(Number(block.timestamp) >= least, `timestamp ${Number(block.timestamp)}, at least ${least}`)
  const baseFee = baseFeeAfter(parent)
  assert.equal(BigInt(block.baseFeePerGas!), baseFee, 'base fee')
  const transactions = block.transactions as readonly RpcTransaction[]
  assert.equal(receipts.length, transactions.length)
  const { nonces, balances } = await accountsAt(chain, parent.number!)
  let gas = 0n
  let logs = 0
  let tips = 0n
  for (const [index, transaction] of transactions.entries()) {
    const receipt: RpcReceipt = receipts[index]!
    checkReceipt(block, transaction, receipt, { gas, logs, index })
    const price = priceOf(transaction, baseFee)
    assert.equal(BigInt(receipt.effectiveGasPrice), price, 'price')
    assert(price >= baseFee)
    countNonces(nonces, transaction, signers)
    assert(gas + BigInt(transaction.gas) <= BigInt(block.gasLimit), 'there was room for its gas limit')
    gas += BigInt(receipt.gasUsed)
    logs += receipt.logs.length
    tips += BigInt(receipt.gasUsed) * (price - baseFee)
    const moved = receipt.status === '0x1' ? BigInt(transaction.value) : 0n
    move(balances, transaction.from, -moved - BigInt(receipt.gasUsed) * price)
    move(balances, transaction.to, moved)
  }
  assert.equal(BigInt(block.gasUsed), gas, 'gas used')
  assert.deepEqual(await accountsAt(chain, name), { nonces, balances }, 'nonces and balances by hand')
  return { burnt: gas * baseFee, tips }
}

/** Whether an authorization of the account may change its nonce, in the middle of a partial block. */
function isAuthorized(transaction: RpcTransaction, account: Address, signers: Signers): boolean {
  return (transaction.authorizationList ?? []).some(({ r }) => signers.get(r) === account)
}

/** Within a partial block nobody stands behind one who should have come later. */
function checkOrder({ state }: Look, story: Story, signers: Signers, block: RpcBlock): void {
  const found = new Map((block.transactions as readonly RpcTransaction[]).map((it) => [it.hash, it]))
  const baseFee = BigInt(block.baseFeePerGas!)
  const isBetter = (a: RpcTransaction, b: RpcTransaction): boolean => {
    const [priceA, priceB] = [priceOf(a, baseFee), priceOf(b, baseFee)]
    if (state.settings.ordering === 'fees' && priceA !== priceB) return priceA > priceB
    return story.arrivals.get(a.hash)! < story.arrivals.get(b.hash)!
  }
  for (const hashes of story.partialsOf.get(block.hash!)!) {
    const transactions = hashes.map((hash) => found.get(hash)!)
    for (const [index, later] of transactions.entries()) {
      if (transactions.some((it) => isAuthorized(it, later.from, signers))) continue
      // It could come from the time on when the one before it of its sender was in.
      const previous = transactions.findLastIndex((it, i) => i < index && it.from === later.from)
      const since = transactions.slice(previous + 1, index)
      assert(!since.some((earlier) => isBetter(later, earlier)), `${later.hash} came too late`)
    }
  }
}

function checkPool({ state }: Look): void {
  const { pool, chain } = state
  const world = chain.open?.state ?? chain.head.committed.state
  let count = 0
  for (const [sender, { transactions, maximumCost: cost }] of pool.bySender.entries()) {
    assert(transactions.length > 0)
    let least = world.get(sender)?.nonce ?? 0n
    for (const { transaction } of transactions) {
      assert.equal(transaction.sender, sender)
      assert(transaction.nonce >= least, 'a pooled nonce is not overtaken, and no nonce is there twice')
      least = transaction.nonce + 1n
      assert(pool.byHash.has(transaction.hash))
      assert(!chain.transactions.has(transaction.hash) && !chain.open?.indexByHash.has(transaction.hash))
      count++
    }
    assert.equal(
      cost,
      transactions.reduce((sum, { transaction }) => sum + maximumCost(transaction), 0n),
    )
  }
  assert.equal(pool.byHash.size, count)
}

function checkTotals({ state, ledger }: Look, world: WorldState, { burnt, tips }: Fees): void {
  assert.equal(totalOf(world) + burnt, ledger.total, 'nothing is lost or made')
  assert.equal(world.get(state.settings.coinbase)?.balance ?? 0n, tips, 'the fee recipient has the tips')
}

function checkRoot(block: RpcBlock, world: WorldState): void {
  assert.equal(block.stateRoot, stateRoot(commitState(EMPTY_COMMITTED_STATE, world)), 'state root')
}

/** Compares the head's state root with what the state manager of @ethereumjs finds for its accounts. */
export async function checkRootOfHead(chain: Emulator): Promise<void> {
  const { head } = stateOf(chain).chain
  const reference = new MerkleStateManager()
  for (const [address, account] of head.committed.state.entries()) {
    const at = createAddressFromString(address)
    await reference.putAccount(at, new EvmAccount(account.nonce, account.balance))
    if (account.code.bytes.length > 0) await reference.putCode(at, account.code.bytes)
    for (const [slot, value] of account.storage.entries()) {
      await reference.putStorage(at, hexToBytes(slot), value)
    }
  }
  assert.equal(head.header.stateRoot, bytesToHex(await reference.getStateRoot()))
}

/** Checks a chain: the blocks that are new, the one being built, the pool and the clock. */
export async function checkChain(
  chain: Emulator,
  ledger: Ledger,
  story: Story,
  signers: Signers,
  order: 'ruly' | 'unruly',
): Promise<void> {
  if (story.failure !== undefined) throw story.failure
  const state = stateOf(chain)
  const look: Look = { chain, state, ledger }
  const head = state.chain.head.header.number
  const hashAt = (number: number): Hash => blockAt(state.chain, number)!.hash
  const read = async (name: string): Promise<RpcBlock> => {
    const block = await chain.request('eth_getBlockByNumber', [name as 'latest', true])
    assert(block !== null)
    return block
  }
  let first = head
  while (first > 0 && !ledger.feesUpTo.has(hashAt(first))) first--
  let parent = await read(`0x${first.toString(16)}`)
  let fees = ledger.feesUpTo.get(hashAt(first))!
  for (let number = first + 1; number <= head; number++) {
    const block = await read(`0x${number.toString(16)}`)
    assert.equal(block.hash, hashAt(number))
    fees = add(fees, await checkBlock(look, signers, parent, block, block.number!))
    const { state: world } = blockAt(state.chain, number)!.committed
    checkRoot(block, world)
    if (order === 'ruly') checkOrder(look, story, signers, block)
    checkTotals(look, world, fees)
    ledger.feesUpTo.set(hashAt(number), fees)
    parent = block
  }
  assert.equal(Number(await chain.request('eth_blockNumber')), head)
  const pending = await read('pending')
  fees = add(fees, await checkBlock(look, signers, parent, pending, 'pending'))
  const { open } = state.chain
  if (open !== undefined) {
    checkRoot(pending, open.state)
    checkTotals(look, open.state, fees)
  }
  assert.deepEqual(
    (pending.transactions as readonly RpcTransaction[]).map(({ hash }) => hash),
    story.partials.flat(),
    'the pending block is the partial blocks so far',
  )
  checkPool(look)
  story.fates = checkFates(state, story.fates)
  assert(chain.now >= Number(parent.timestamp) * 1000, 'the clock is not behind the head')
}
