// Invariants of a chain under any commands. They use what a user sees, except for sums over all accounts, the pool and
// the state root.

import assert from 'node:assert/strict'
import { MerkleStateManager } from '@ethereumjs/statemanager'
import { createAddressFromString, Account as EvmAccount } from '@ethereumjs/util'
import { keccak256 } from 'viem'
import { blockAt } from '../../src/core/chain/chain.ts'
import { maximumCost } from '../../src/core/execution/transaction/transaction.ts'
import { Node } from '../../src/core/node/node.ts'
import type { NodeState } from '../../src/core/node/node-state.ts'
import {
  type Address,
  bytesToHex,
  type Hash,
  type Hex,
  hexToBytes,
  toQuantity,
} from '../../src/core/primitives/hex.ts'
import type { RpcBlock } from '../../src/core/rpc/format/block.ts'
import type { RpcLog, RpcReceipt } from '../../src/core/rpc/format/receipt.ts'
import type { RpcTransaction } from '../../src/core/rpc/format/transaction.ts'
import { commitState, EMPTY_COMMITTED_STATE, stateRoot } from '../../src/core/state/state-tries.ts'
import { readAccount, type WorldState } from '../../src/core/state/world-state.ts'
import type { Emulator } from '../../src/index.ts'
import { totalOf } from './edits.ts'
import { checkFates } from './fates.ts'
import {
  type Block,
  baseFeeOnRollup,
  checkDeposits,
  checkRollupBlock,
  checkVaults,
  isDeposit,
  mintedIn,
  type RollupScene,
  rollupFeesOf,
} from './rollup-invariants.ts'
import { type Edited, type Story, UNEDITED } from './story.ts'
import { senders, strangers } from './world.ts'

/** The state of a chain, obtained by taking a snapshot, which reads the node. */
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

/** The payments of a block's transactions. */
interface Fees {
  /** On a rollup, those that its vaults get. */
  readonly baseFees: bigint
  readonly tips: bigint
  readonly l1Fees: bigint
  readonly operatorFees: bigint
}

/** Checked blocks, so that each is checked once. */
export type Ledger = Set<Hash>

export function createLedger(chain: Emulator): Ledger {
  return new Set([stateOf(chain).chain.head.hash])
}

/** Properties of a particular chain. */
export interface Scene {
  /** Signers of authorizations, by the r of the signature. */
  readonly signers: Signers
  /** Whether the order of transactions is predictable. */
  readonly order: 'ruly' | 'unruly'
  /** Whether a block may have its parent's timestamp. */
  readonly timestamps: 'shared' | 'strict'
  readonly rollup: RollupScene | undefined
}

interface Look {
  readonly chain: Emulator
  readonly state: NodeState
  readonly story: Story
  readonly scene: Scene
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
  assert(gasUsed <= BigInt(transaction.gas), 'gas used')
  assert(isDeposit(transaction) || gasUsed >= 21_000n, 'gas used')
  for (const [position, log] of receipt.logs.entries()) {
    assert.equal(Number(log.logIndex), before.logs + position, 'log index')
    assert.equal(log.transactionIndex, receipt.transactionIndex)
    assert.equal(log.blockHash, block.hash)
    assert.equal(log.blockTimestamp, block.timestamp)
  }
  if (receipt.status === '0x0') assert.equal(receipt.logs.length, 0)
}

/** EIP-1559: the gas price that the sender pays. */
function priceOf(transaction: RpcTransaction, baseFee: bigint): bigint {
  if (isDeposit(transaction)) return 0n
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

/** Known nonces after a transaction: of its sender, and of the signers of its valid authorizations. */
function countNonces(nonces: Map<Address, bigint>, transaction: RpcTransaction, signers: Signers): void {
  const known = nonces.get(transaction.from)
  if (known !== undefined) {
    // Before regolith the nonce of a deposit is not recorded.
    const isRecorded = !isDeposit(transaction) || transaction.nonce !== '0x0'
    if (isRecorded) assert.equal(BigInt(transaction.nonce), known, 'nonce')
    nonces.set(transaction.from, known + 1n)
  }
  for (const authorization of transaction.authorizationList ?? []) {
    const authority = signers.get(authorization.r)
    const isForThisChain = [0, Number(transaction.chainId)].includes(Number(authorization.chainId))
    if (authority === undefined || !isForThisChain) continue
    if (nonces.get(authority) === BigInt(authorization.nonce))
      nonces.set(authority, BigInt(authorization.nonce) + 1n)
  }
}

/** The signer of an authorization, by the r of its signature. */
export type Signers = ReadonlyMap<string, Address>

/** Accounts whose nonces and balances follow from the transactions, because no code changes them. */
const players: readonly Address[] = [...senders, ...strangers]

async function accountsAt(chain: Emulator, block: string) {
  const nonces = new Map<Address, bigint>()
  const balances = new Map<Address, bigint>()
  for (const player of players) {
    nonces.set(player, BigInt(await chain.request('eth_getTransactionCount', [player, block as 'latest'])))
    balances.set(player, BigInt(await chain.request('eth_getBalance', [player, block as 'latest'])))
  }
  return { nonces, balances }
}

type Accounts = Awaited<ReturnType<typeof accountsAt>>

/** Whether an account has code other than a delegation (EIP-7702). */
function hasCode(world: WorldState, account: Address): boolean {
  const code = bytesToHex(readAccount(world, account).code.bytes)
  return code !== '0x' && !code.startsWith('0xef0100')
}

function move(balances: Map<Address, bigint>, account: Address | null, amount: bigint): void {
  const balance = account === null ? undefined : balances.get(account)
  if (account !== null && balance !== undefined) balances.set(account, balance + amount)
}

/** A block, with the accounts before and after it. */
interface Sight {
  readonly parent: Block
  readonly block: Block
  /** Its selector in JSON-RPC. */
  readonly name: string
  readonly before: WorldState
  readonly after: WorldState
  readonly edited: Edited
}

/** Accounts whose nonces and balances are computed here. */
function known({ nonces, balances }: Accounts, { before, after, edited }: Sight): Accounts {
  const isKnown = ([account]: readonly [Address, bigint]): boolean =>
    players.includes(account) &&
    !(edited.accounts.has(account) || hasCode(before, account) || hasCode(after, account))
  return {
    nonces: new Map([...nonces].filter(isKnown)),
    balances: new Map([...balances].filter(isKnown)),
  }
}

/** EIP-1559: ether is burnt or transferred, but neither lost nor created. */
function checkTotals(sight: Sight, fees: Fees, isRollup: boolean): void {
  const { block, before, after, edited } = sight
  const { baseFees, tips } = fees
  const [burnt, minted] = isRollup ? [0n, mintedIn(block)] : [baseFees, 0n]
  const [left, had] = [totalOf(after) + burnt, totalOf(before) + edited.gain + minted]
  if (isRollup) checkVaults(sight, fees)
  // Ether beyond 256 bits is lost.
  if (readAccount(after, block.miner).balance === 2n ** 256n - 1n) assert(left <= had && left >= had - tips)
  else assert.equal(left, had, 'nothing is lost or made')
  if (players.includes(block.miner)) return
  const earned = readAccount(after, block.miner).balance - readAccount(before, block.miner).balance
  assert.equal(earned, tips, 'the fee recipient has the tips')
}

/** Yellow Paper, section 4.3.1: three bits for the address and each topic of a log. */
function bloomOf(logs: readonly RpcLog[]): Hex {
  const bits = new Uint8Array(256)
  for (const item of logs.flatMap(({ address, topics }) => [address, ...topics])) {
    const hash = keccak256(item, 'bytes')
    for (const at of [0, 2, 4]) {
      const bit = (((hash[at] as number) << 8) | (hash[at + 1] as number)) & 2047
      bits[255 - (bit >> 3)]! |= 1 << (bit & 7)
    }
  }
  return bytesToHex(bits)
}

/** Checks a JSON-RPC block against its parent. */
async function checkBlock({ chain, state, story, scene }: Look, sight: Sight): Promise<void> {
  const { parent, block, name } = sight
  const receipts: readonly RpcReceipt[] | null = await chain.request('eth_getBlockReceipts', [
    name as 'latest',
  ])
  assert(receipts !== null)
  assert.equal(Number(block.number), Number(parent.number) + 1)
  assert.equal(block.parentHash, parent.hash)
  const isShared = scene.timestamps === 'shared' || parent.timestampMs !== undefined
  const least = Number(parent.timestamp) + (isShared ? 0 : 1)
  assert(Number(block.timestamp) >= least, `timestamp ${Number(block.timestamp)}, at least ${least}`)
  const baseFee = BigInt(block.baseFeePerGas!)
  const { rollup } = scene
  const expectedBaseFee =
    rollup === undefined ? baseFeeAfter(parent) : baseFeeOnRollup(rollup, parent, Number(block.timestamp))
  if (baseFee !== story.askedBaseFee) assert.equal(baseFee, expectedBaseFee, 'base fee')
  if (rollup !== undefined) {
    // A reorganisation may be given transactions for its blocks, which have no partial blocks.
    const isSequenced = (story.partialsOf.get(block.hash as Hash) ?? []).length > 0
    await checkRollupBlock(chain, state, rollup, sight, receipts, isSequenced)
  }
  const { transactions } = block
  assert.equal(receipts.length, transactions.length)
  const { nonces, balances } = known(await accountsAt(chain, parent.number!), sight)
  let gas = 0n
  let logs = 0
  let [baseFees, tips, l1Fees, operatorFees] = [0n, 0n, 0n, 0n]
  for (const [index, transaction] of transactions.entries()) {
    const receipt: RpcReceipt = receipts[index]!
    checkReceipt(block, transaction, receipt, { gas, logs, index })
    const price = priceOf(transaction, baseFee)
    assert.equal(BigInt(receipt.effectiveGasPrice), price, 'price')
    const isForced = isDeposit(transaction)
    assert(isForced || price >= baseFee)
    countNonces(nonces, transaction, scene.signers)
    const hasRoom = gas + BigInt(transaction.gas) <= BigInt(block.gasLimit)
    assert(isForced || hasRoom, 'there was room for its gas limit')
    const gasUsed = BigInt(receipt.gasUsed)
    gas += gasUsed
    logs += receipt.logs.length
    const tip = isForced ? 0n : gasUsed * (price - baseFee)
    tips += tip
    if (!isForced) baseFees += gasUsed * baseFee
    const extra =
      rollup === undefined ? { l1: 0n, operator: 0n } : rollupFeesOf(rollup, block, transaction, receipt)
    l1Fees += extra.l1
    operatorFees += extra.operator
    move(balances, transaction.from, BigInt((transaction as { mint?: Hex }).mint ?? 0))
    move(balances, block.miner, tip)
    const most = 2n ** 256n - 1n
    if ((balances.get(block.miner) ?? 0n) > most) balances.set(block.miner, most)
    const moved = receipt.status === '0x1' ? BigInt(transaction.value) : 0n
    move(balances, transaction.from, -moved - gasUsed * price - extra.l1 - extra.operator)
    move(balances, transaction.to, moved)
  }
  assert.equal(BigInt(block.gasUsed), gas, 'gas used')
  const [found, expected] = [known(await accountsAt(chain, name), sight), known({ nonces, balances }, sight)]
  assert.deepEqual(found, expected, 'nonces and balances by hand')
  assert.equal(block.logsBloom, bloomOf(receipts.flatMap((receipt) => receipt.logs)), 'bloom')
  checkTotals(sight, { baseFees, tips, l1Fees, operatorFees }, rollup !== undefined)
}

/** Whether an authorization of the account may change its nonce, in the middle of a partial block. */
function isAuthorized(transaction: RpcTransaction, account: Address, signers: Signers): boolean {
  return (transaction.authorizationList ?? []).some(({ r }) => signers.get(r) === account)
}

/** Within a partial block no transaction is behind one that should come later. */
function checkOrder({ state, story, scene }: Look, block: RpcBlock): void {
  const found = new Map((block.transactions as readonly RpcTransaction[]).map((it) => [it.hash, it]))
  const baseFee = BigInt(block.baseFeePerGas!)
  const isBetter = (a: RpcTransaction, b: RpcTransaction): boolean => {
    const [priceA, priceB] = [priceOf(a, baseFee), priceOf(b, baseFee)]
    if (state.settings.ordering === 'fees' && priceA !== priceB) return priceA > priceB
    return story.arrivals.get(a.hash)! < story.arrivals.get(b.hash)!
  }
  for (const hashes of story.partialsOf.get(block.hash!)!) {
    const transactions = hashes.map((hash) => found.get(hash)!).filter((it) => !isDeposit(it))
    for (const [index, later] of transactions.entries()) {
      if (transactions.some((it) => isAuthorized(it, later.from, scene.signers))) continue
      // It became a candidate when the previous one of its sender was included.
      const previous = transactions.findLastIndex((it, i) => i < index && it.from === later.from)
      const since = transactions.slice(previous + 1, index)
      assert(!since.some((earlier) => isBetter(later, earlier)), `${later.hash} came too late`)
    }
  }
}

function checkPool({ state, story }: Look): void {
  const { pool, chain } = state
  const world = chain.open?.state ?? chain.head.committed.state
  let count = 0
  for (const [sender, { transactions, maximumCost: cost }] of pool.bySender.entries()) {
    assert(transactions.length > 0)
    let least = world.get(sender)?.nonce ?? 0n
    for (const { transaction, cost: single } of transactions) {
      assert.equal(transaction.sender, sender)
      // A rollup's have other fees besides.
      if (state.rollup === undefined) assert.equal(single, maximumCost(transaction))
      else assert(single >= maximumCost(transaction))
      assert(transaction.nonce >= least, 'a pooled nonce is not overtaken, and no nonce is there twice')
      least = transaction.nonce + 1n
      assert(pool.byHash.has(transaction.hash))
      const isInBlock =
        chain.transactions.has(transaction.hash) || chain.open?.indexByHash.has(transaction.hash)
      assert(!isInBlock || story.lowered.has(sender), 'what waits is in no block')
      count++
    }
    assert.equal(
      cost,
      transactions.reduce((sum, pooled) => sum + pooled.cost, 0n),
    )
  }
  assert.equal(pool.byHash.size, count)
}

/** A balance has 256 bits, a nonce 64. */
function checkAccounts(world: WorldState): void {
  for (const [address, { balance, nonce }] of world.entries()) {
    assert(balance >= 0n && balance < 2n ** 256n, `balance of ${address}`)
    assert(nonce >= 0n && nonce < 2n ** 64n, `nonce of ${address}`)
  }
}

function checkRoot(block: RpcBlock, world: WorldState): void {
  checkAccounts(world)
  assert.equal(block.stateRoot, stateRoot(commitState(EMPTY_COMMITTED_STATE, world)), 'state root')
}

/** Compares a state root with that of the state manager of @ethereumjs for the accounts. */
export async function checkRootOfHead(chain: Emulator): Promise<void> {
  // The next block includes the edits.
  const clone = chain.clone()
  await clone.seal()
  const { head } = stateOf(clone).chain
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
  clone.dispose()
}

async function readBlock(chain: Emulator, name: string): Promise<Block> {
  const block = await chain.request('eth_getBlockByNumber', [name as 'latest', true])
  assert(block !== null)
  return block as Block
}

async function checkTags(chain: Emulator, head: number): Promise<void> {
  const numbers = await Promise.all(
    ['earliest', 'finalized', 'safe', 'latest', 'pending'].map(async (tag) => {
      const block = await chain.request('eth_getBlockByNumber', [tag as 'latest', false])
      return Number(block?.number)
    }),
  )
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
    'tags stand in their order',
  )
  assert.deepEqual(numbers.slice(-2), [head, head + 1])
  assert.equal(Number(await chain.request('eth_blockNumber')), head)
}

/** Checks a chain: new blocks, the open block, which it returns, the pool and the clock. */
export async function checkChain(
  chain: Emulator,
  ledger: Ledger,
  story: Story,
  scene: Scene,
): Promise<RpcBlock> {
  if (story.failure !== undefined) throw story.failure
  const state = stateOf(chain)
  const look: Look = { chain, state, story, scene }
  const { head, open } = state.chain
  const { number: last } = head.header
  const sealedAt = (number: number) => blockAt(state.chain, number)!
  let first = last
  while (!ledger.has(sealedAt(first).hash)) first--
  let parent = await readBlock(chain, toQuantity(first))
  for (let number = first + 1; number <= last; number++) {
    const { hash, committed } = sealedAt(number)
    const block = await readBlock(chain, toQuantity(number))
    assert.equal(block.hash, hash)
    const before = sealedAt(number - 1).committed.state
    const edited = story.editedIn.get(hash) ?? UNEDITED
    await checkBlock(look, { parent, block, name: block.number!, before, after: committed.state, edited })
    checkRoot(block, committed.state)
    // A transaction that was sent twice arrived twice.
    if (scene.order === 'ruly' && story.lowered.size === 0) checkOrder(look, block)
    ledger.add(hash)
    parent = block
  }
  const pending = await readBlock(chain, 'pending')
  const before = head.committed.state
  // Without pre-confirmed transactions only the protocol's contracts are written.
  const after = open?.state ?? state.rollup?.opening?.state ?? before
  await checkBlock(look, { parent, block: pending, name: 'pending', before, after, edited: story.edited })
  if (open !== undefined) checkRoot(pending, open.state)
  // A rollup's opening is there before it is told.
  const isTold = open !== undefined || (state.rollup?.isOpeningTold ?? true)
  if (isTold) {
    assert.deepEqual(
      pending.transactions.map(({ hash }) => hash),
      story.partials.flat(),
      'the pending block is the partial blocks so far',
    )
  }
  if (state.rollup !== undefined) checkDeposits(state, pending, story.deposits)
  await checkTags(chain, last)
  checkPool(look)
  story.fates = checkFates(state, story, new Set(scene.signers.values()))
  assert(chain.now >= Number(parent.timestamp) * 1000, 'the clock is not behind the head')
  return pending
}
