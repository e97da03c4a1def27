// Invariants of a pair under any commands: ether, deposits, origins, safety, and the clock.

import assert from 'node:assert/strict'
import { keccak256, type Log, toHex } from 'viem'
import { getL2TransactionHashes } from 'viem/op-stack'
import { blockAt } from '../../../src/core/chain/chain.ts'
import { internalsOf } from '../../../src/core/emulator/internals.ts'
import type { NodeState } from '../../../src/core/node/node-state.ts'
import { type Address, type Hash, toQuantity } from '../../../src/core/primitives/hex.ts'
import { OP_PREDEPLOYS } from '../../../src/core/rollup/op/predeploys.ts'
import type { RpcLog } from '../../../src/core/rpc/format/receipt.ts'
import { readAccount } from '../../../src/core/state/world-state.ts'
import type { Emulator } from '../../../src/index.ts'
import type { CreateRollupOptions } from '../../../src/tools/pair/options.ts'
import type { Rollup, RollupChain } from '../../../src/tools/pair/rollup.ts'
import { totalOf } from '../edits.ts'
import {
  type Block,
  checkOrigin,
  isUserDeposit,
  mintedIn,
  type RollupScene,
  rollupScene,
} from '../rollup-invariants.ts'
import { layersOf } from './commands.ts'

/** A state that every check reads directly, since a snapshot of one layer is one of the layer 1. */
export function nodeStateOf(emulator: Emulator): NodeState {
  return internalsOf('simulation', emulator).session.node.state
}

const topicOf = (event: string): Hash => keccak256(toHex(event))
const DEPOSITED = topicOf('TransactionDeposited(address,address,uint256,bytes)')
const FINALISED = topicOf('WithdrawalFinalized(bytes32,bool)')
const PASSED = topicOf('MessagePassed(uint256,address,address,uint256,uint256,bytes,bytes32)')

/** What an L1 block did with one portal. */
interface OnPortal {
  /** The hashes of the deposits' transactions on the layer 2, in order. */
  readonly deposits: readonly Hash[]
  readonly minted: bigint
  readonly finalised: readonly Hash[]
}

/** What an L2 block says. */
interface OnL2 {
  readonly origin: { readonly number: number; readonly hash: Hash }
  readonly minted: bigint
  readonly withdrawn: bigint
}

interface Mark {
  readonly l2: { readonly number: number; readonly hash: Hash }
  /** The L1 block that it follows from. */
  readonly l1: { readonly number: number; readonly hash: Hash }
}

export interface PairWitness {
  readonly scenes: readonly RollupScene[]
  /** The ether of each layer 2 in its first block, and that in its portal. */
  readonly supplies: readonly bigint[]
  readonly backed: readonly bigint[]
  /** By the block's hash and the chain's index. */
  readonly onPortals: Map<string, OnPortal>
  readonly onL2: Map<string, OnL2>
  /** The value of each withdrawal that any L2 block has had. */
  readonly values: Map<Hash, bigint>
  /** The last safe and finalized blocks of each layer 2. */
  marks: Map<string, Mark>
  /** Transactions that a layer 2 has accepted. */
  sent: { readonly chain: number; readonly hash: Hash; readonly from: Address; readonly nonce: number }[]
  /** Withdrawals that were finalised. */
  finalised: number
}

function totalIn(l2: Emulator): bigint {
  return totalOf(nodeStateOf(l2).chain.head.committed.state)
}

export function createPairWitness(rollup: Rollup, options: CreateRollupOptions): PairWitness {
  const { chains } = rollup
  const l2s = [options.l2].flat() as readonly { readonly rollup: object }[]
  const scenes = l2s.map(({ rollup }) => rollupScene({ rollup: { stack: 'op', ...rollup } }) as RollupScene)
  return {
    scenes,
    supplies: chains.map(({ l2 }) => totalIn(l2)),
    backed: chains.map((_, index) => lockedIn(rollup, index)),
    ...{ onPortals: new Map(), onL2: new Map(), values: new Map(), marks: new Map() },
    ...{ sent: [], finalised: 0 },
  }
}

/** What is remembered of the time that a revert has left does not count. */
export function forgetTime(witness: PairWitness): void {
  witness.marks.clear()
  witness.sent = []
}

function portalOf({ l1, chains }: Rollup, index: number): Address {
  const { contracts } = chains[index] as RollupChain
  return contracts.portal[l1.settings.chainId]!.address.toLowerCase() as Address
}

function lockedIn(rollup: Rollup, index: number): bigint {
  const { state } = nodeStateOf(rollup.l1).chain.head.committed
  return readAccount(state, portalOf(rollup, index)).balance
}

async function logsOf(chain: Emulator, blockHash: Hash, address: Address): Promise<readonly RpcLog[]> {
  return chain.request('eth_getLogs', [{ blockHash, address }])
}

/** opaqueData of deposits, version 0: the first word is the mint. */
function mintOf({ data }: RpcLog): bigint {
  return BigInt(`0x${data.slice(2 + 2 * 64, 2 + 3 * 64)}`)
}

async function readPortal(rollup: Rollup, index: number, hash: Hash): Promise<OnPortal> {
  const logs = await logsOf(rollup.l1, hash, portalOf(rollup, index))
  const deposited = logs.filter(({ topics }) => topics[0] === DEPOSITED)
  const finalised = logs.flatMap(({ topics, data }) => {
    const isFinalised = topics[0] === FINALISED && BigInt(data) === 1n
    return isFinalised ? [topics[1] as Hash] : []
  })
  return {
    deposits: getL2TransactionHashes({ logs: deposited as unknown as Log[] }),
    minted: deposited.reduce((sum, log) => sum + mintOf(log), 0n),
    finalised,
  }
}

/** The blocks of the layer 1, the first without. */
async function onPortalsOf(witness: PairWitness, rollup: Rollup, index: number): Promise<OnPortal[]> {
  const { chain } = nodeStateOf(rollup.l1)
  const all: OnPortal[] = []
  for (let number = 1; number <= chain.head.header.number; number++) {
    const { hash } = blockAt(chain, number)!
    const key = `${index} ${hash}`
    const known = witness.onPortals.get(key) ?? (await readPortal(rollup, index, hash))
    witness.onPortals.set(key, known)
    all[number] = known
  }
  return all
}

/** MessagePassed: the words of its data are value, gas limit, where the bytes begin, and the hash. */
async function readWithdrawals(l2: Emulator, blockHash: Hash) {
  const logs = await logsOf(l2, blockHash, OP_PREDEPLOYS.L2ToL1MessagePasser)
  return logs.flatMap(({ topics, data }) => {
    const word = (index: number): Hash => `0x${data.slice(2 + 64 * index, 66 + 64 * index)}`
    return topics[0] === PASSED ? [{ value: BigInt(word(0)), withdrawalHash: word(3) }] : []
  })
}

async function readBlock(chain: Emulator, name: string): Promise<Block> {
  const block = await chain.request('eth_getBlockByNumber', [name as 'latest', true])
  assert(block !== null)
  return block as Block
}

/** Checks the opening of a block: its origin is the layer 1's, whose deposits it has if it is the first to adopt it. */
function checkOpening(
  witness: PairWitness,
  rollup: Rollup,
  index: number,
  block: Block,
  parent: Block,
  onPortals: readonly OnPortal[],
): { readonly number: number; readonly hash: Hash } {
  const { chain } = nodeStateOf(rollup.l1)
  const genesis = blockAt(chain, 0)!
  const before = { number: 0, hash: genesis.hash, timestamp: genesis.header.timestamp }
  const origin = checkOrigin(witness.scenes[index]!, parent, block, before)
  const onL1 = blockAt(chain, origin.number)
  assert.deepEqual(
    { hash: origin.hash, timestamp: origin.timestamp },
    { hash: onL1?.hash, timestamp: onL1?.header.timestamp },
    `the origin of ${block.number} is on the layer 1`,
  )
  const deposits = block.transactions.filter(isUserDeposit).map(({ hash }) => hash)
  const expected = origin.sequenceNumber === 0 ? onPortals[origin.number]!.deposits : []
  assert.deepEqual(deposits, expected, `deposits of ${block.number}`)
  return origin
}

/** A block that was checked stays as it was as long as its origin is on the layer 1. */
async function checkChain(
  witness: PairWitness,
  rollup: Rollup,
  index: number,
  onPortals: readonly OnPortal[],
): Promise<{ readonly minted: bigint; readonly withdrawn: bigint }> {
  const { l2 } = rollup.chains[index]!
  const { chain } = nodeStateOf(l2)
  const { number: last } = chain.head.header
  const l1 = nodeStateOf(rollup.l1).chain
  let [minted, withdrawn] = [0n, 0n]
  let parent: Block | undefined
  for (let number = 1; number <= last; number++) {
    const { hash } = blockAt(chain, number)!
    const key = `${index} ${hash}`
    let known = witness.onL2.get(key)
    if (known === undefined) {
      parent ??= await readBlock(l2, toQuantity(number - 1))
      const block = await readBlock(l2, toQuantity(number))
      const origin = checkOpening(witness, rollup, index, block, parent, onPortals)
      const passed = await readWithdrawals(l2, hash)
      for (const { withdrawalHash, value } of passed) witness.values.set(withdrawalHash, value)
      known = {
        origin,
        minted: mintedIn(block),
        withdrawn: passed.reduce((sum, { value }) => sum + value, 0n),
      }
      witness.onL2.set(key, known)
      parent = block
    } else parent = undefined
    assert.equal(blockAt(l1, known.origin.number)?.hash, known.origin.hash, 'an origin is on the layer 1')
    minted += known.minted
    withdrawn += known.withdrawn
  }
  const pending = await readBlock(l2, 'pending')
  checkOpening(witness, rollup, index, pending, parent ?? (await readBlock(l2, toQuantity(last))), onPortals)
  return { minted, withdrawn }
}

/**
 * Ether. On the layer 2, the balances of all accounts, vaults and message passer included, grow by what deposits mint;
 * the passer holds what was withdrawn. On the layer 1, the portal holds what deposits brought without what finalised
 * withdrawals took. So both differ by deposits whose L1 block is no origin yet and by withdrawals.
 */
function checkEther(
  witness: PairWitness,
  rollup: Rollup,
  index: number,
  onPortals: readonly OnPortal[],
  { minted, withdrawn }: { readonly minted: bigint; readonly withdrawn: bigint },
): void {
  const { l2 } = rollup.chains[index]!
  const { state } = nodeStateOf(l2).chain.head.committed
  assert.equal(
    totalIn(l2) - witness.supplies[index]!,
    minted,
    'what deposits mint is the supply of the layer 2',
  )
  assert.equal(readAccount(state, OP_PREDEPLOYS.L2ToL1MessagePasser).balance, withdrawn, 'withdrawn ether')
  const locked = lockedIn(rollup, index) - witness.backed[index]!
  const brought = onPortals.reduce((sum, on) => sum + on.minted, 0n)
  const finalised = onPortals.flatMap((on) => on.finalised)
  const taken = finalised.reduce((sum, hash) => sum + witness.values.get(hash)!, 0n)
  assert.equal(locked, brought - taken, 'the portal holds what was deposited and not withdrawn')
  witness.finalised = Math.max(witness.finalised, finalised.length)
}

/** Tags are in order, and what was safe or final is still there unless the layer 1 has lost what it followed from. */
async function checkMarks(witness: PairWitness, rollup: Rollup, index: number): Promise<void> {
  const { l2 } = rollup.chains[index]!
  const numbers: number[] = []
  for (const tag of ['finalized', 'safe', 'latest'] as const) {
    const { number, hash } = await readBlock(l2, tag)
    numbers.push(Number(number))
    const on1 = await readBlock(rollup.l1, tag === 'finalized' ? 'finalized' : 'latest')
    if (tag === 'latest') continue
    const key = `${index} ${tag}`
    const before = witness.marks.get(key)
    const l1 = nodeStateOf(rollup.l1).chain
    if (before !== undefined && blockAt(l1, before.l1.number)?.hash === before.l1.hash) {
      const there = blockAt(nodeStateOf(l2).chain, before.l2.number)?.hash
      assert.equal(there, before.l2.hash, `block ${before.l2.number} was ${tag}, and the layer 1 is the same`)
      // The layer 1's own tags are a number of blocks behind its head, and go back with a rollback.
      if (Number(on1.number) >= before.l1.number) {
        assert(Number(number) >= before.l2.number, `${tag} does not go back`)
      }
    }
    witness.marks.set(key, {
      l2: { number: Number(number), hash: hash as Hash },
      l1: { number: Number(on1.number), hash: on1.hash as Hash },
    })
  }
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
    'finalized, safe and latest are in order',
  )
}

/** Transactions of the layer 2 that were accepted are in a block or wait, until another one has used their nonce. */
async function checkSent(witness: PairWitness, rollup: Rollup): Promise<void> {
  const left: PairWitness['sent'] = []
  for (const sent of witness.sent) {
    const { l2 } = rollup.chains[sent.chain]!
    if ((await l2.request('eth_getTransactionByHash', [sent.hash])) !== null) {
      left.push(sent)
      continue
    }
    // A deposit may have; the pool has forgotten the transaction, even if that block is replaced later.
    const next = Number(await l2.request('eth_getTransactionCount', [sent.from, 'pending']))
    assert(next > sent.nonce, `${sent.hash} is lost`)
  }
  witness.sent = left
}

/** Checks a pair after a command. */
export async function checkPair(witness: PairWitness, rollup: Rollup): Promise<void> {
  const layers = layersOf(rollup)
  assert.deepEqual(new Set(layers.map(([, { now }]) => now)), new Set([rollup.now]), 'one clock')
  for (const [, emulator] of layers) {
    const { timestamp } = nodeStateOf(emulator).chain.head.header
    assert(timestamp * 1000 <= rollup.now, 'no block is in the future')
  }
  for (const index of rollup.chains.keys()) {
    const onPortals = await onPortalsOf(witness, rollup, index)
    const sums = await checkChain(witness, rollup, index, onPortals)
    checkEther(witness, rollup, index, onPortals, sums)
    await checkMarks(witness, rollup, index)
  }
  await checkSent(witness, rollup)
}
