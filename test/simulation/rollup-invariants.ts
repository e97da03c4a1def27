// Invariants of a rollup's blocks: openings, L1 origins, deposits, fees and header fields. Layouts and formulas are
// written down again from the OP stack specification.

import assert from 'node:assert/strict'
import { keccak256 } from 'viem'
import { getSourceHash } from 'viem/op-stack'
import type { OpenBlock } from '../../src/core/chain/block/block.ts'
import { fullBlocksFromHead } from '../../src/core/chain/chain.ts'
import type { NodeState } from '../../src/core/node/node-state.ts'
import type { L1Block } from '../../src/core/node/rollup/origins.ts'
import { type Address, type Hash, type Hex, toQuantity } from '../../src/core/primitives/hex.ts'
import { encodeDeposit } from '../../src/core/rollup/deposit.ts'
import { type OpFork, opForksUpTo } from '../../src/core/rollup/op/forks.ts'
import { OP_PREDEPLOYS } from '../../src/core/rollup/op/predeploys.ts'
import type { RpcBlock } from '../../src/core/rpc/format/block.ts'
import type { RpcReceipt } from '../../src/core/rpc/format/receipt.ts'
import type { RpcTransaction } from '../../src/core/rpc/format/transaction.ts'
import { readAccount, type WorldState } from '../../src/core/state/world-state.ts'
import type { Emulator, EmulatorOptions } from '../../src/index.ts'

export type Block = Omit<RpcBlock, 'transactions'> & { readonly transactions: readonly RpcTransaction[] }

/** What the options of a rollup say of its blocks. */
export interface RollupScene {
  /** Whether a fork is active at a time in seconds. */
  isActive(fork: OpFork, timestampS: number): boolean
  /** Parameters of the base fee before holocene. */
  parametersAt(timestampS: number): { readonly denominator: bigint; readonly elasticity: bigint }
  readonly l1: { readonly number: number; readonly blockTimeS: number }
  /** The most seconds that a block with transactions of the pool is ahead of its origin. */
  mostDriftS(originS: number): number
}

export function rollupScene({ rollup }: EmulatorOptions): RollupScene | undefined {
  if (rollup === undefined) return undefined
  const { fork = 'jovian', eip1559, l1, maxSequencerDriftS } = rollup
  const timeOf = (asked: OpFork): number => {
    if (asked === 'bedrock') return 0
    if (typeof fork !== 'string') return fork[asked] ?? Number.POSITIVE_INFINITY
    return opForksUpTo(fork).includes(asked) ? 0 : Number.POSITIVE_INFINITY
  }
  const isActive = (asked: OpFork, timestampS: number): boolean => timeOf(asked) <= timestampS
  return {
    isActive,
    parametersAt(timestampS) {
      if (eip1559 !== undefined) {
        return { denominator: BigInt(eip1559.denominator), elasticity: BigInt(eip1559.elasticity) }
      }
      return { denominator: isActive('canyon', timestampS) ? 250n : 50n, elasticity: 6n }
    },
    l1: { number: l1?.number ?? 0, blockTimeS: l1?.blockTimeS ?? 12 },
    mostDriftS: (originS) => maxSequencerDriftS ?? (isActive('fjord', originS) ? 1800 : 600),
  }
}

const DEPOSITOR: Address = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'

export function isDeposit({ type }: Pick<RpcTransaction, 'type'>): boolean {
  return type === '0x7e'
}

const timeOf = ({ timestamp }: RpcBlock): number => Number(timestamp)

/** Holocene and jovian, execution engine: what a header says of the base fee of the next block. */
function readExtraData(extraData: Hex) {
  const bytes = Buffer.from(extraData.slice(2), 'hex')
  assert(
    [9, 17].includes(bytes.length) && bytes[0] === (bytes.length === 9 ? 0 : 1),
    `extraData ${extraData}`,
  )
  return {
    denominator: BigInt(bytes.readUInt32BE(1)),
    elasticity: BigInt(bytes.readUInt32BE(5)),
    minBaseFee: bytes.length === 9 ? 0n : bytes.readBigUInt64BE(9),
  }
}

/** EIP-1559 with the parameters of the chain or of the parent. */
export function baseFeeOnRollup(scene: RollupScene, parent: RpcBlock, timestampS: number): bigint {
  const isDynamic = scene.isActive('holocene', timeOf(parent))
  const { denominator, elasticity, minBaseFee } = isDynamic
    ? readExtraData(parent.extraData)
    : { ...scene.parametersAt(timestampS), minBaseFee: 0n }
  const [baseFee, limit] = [BigInt(parent.baseFeePerGas!), BigInt(parent.gasLimit)]
  const footprint = scene.isActive('jovian', timeOf(parent)) ? BigInt(parent.blobGasUsed!) : 0n
  const gasUsed = BigInt(parent.gasUsed)
  const used = footprint > gasUsed ? footprint : gasUsed
  const target = limit / elasticity
  const change = (difference: bigint): bigint => (baseFee * difference) / target / denominator
  let next = baseFee
  if (used > target) next += change(used - target) || 1n
  if (used < target) next -= change(target - used)
  return next < minBaseFee ? minBaseFee : next
}

interface Attributes {
  readonly form: 'bedrock' | 'ecotone' | 'isthmus' | 'jovian'
  readonly number: number
  readonly timestamp: number
  readonly hash: Hash
  readonly sequenceNumber: number
  readonly operatorFeeScalar: bigint
  readonly operatorFeeConstant: bigint
}

const FORMS: Readonly<Record<string, Attributes['form']>> = {
  '0x015d8eb9': 'bedrock',
  '0x440a5e20': 'ecotone',
  '0x098999be': 'isthmus',
  '0x3db6be2b': 'jovian',
}

/** L1 attributes deposited transaction: its calldata. */
function readAttributes(input: Hex): Attributes {
  const form = FORMS[input.slice(0, 10)]
  assert(form !== undefined, `selector ${input.slice(0, 10)}`)
  const part = (from: number, to: number): Hex => `0x${input.slice(2 + 2 * from, 2 + 2 * to)}`
  const word = (index: number): Hex => part(4 + 32 * index, 36 + 32 * index)
  if (form === 'bedrock') {
    return {
      ...{ form, number: Number(word(0)), timestamp: Number(word(1)), hash: word(3) },
      ...{ sequenceNumber: Number(word(4)), operatorFeeScalar: 0n, operatorFeeConstant: 0n },
    }
  }
  const hasOperatorFee = form !== 'ecotone'
  return {
    ...{ form, number: Number(part(28, 36)), timestamp: Number(part(20, 28)), hash: part(100, 132) },
    sequenceNumber: Number(part(12, 20)),
    operatorFeeScalar: hasOperatorFee ? BigInt(part(164, 168)) : 0n,
    operatorFeeConstant: hasOperatorFee ? BigInt(part(168, 176)) : 0n,
  }
}

function formAt(scene: RollupScene, timestampS: number): Attributes['form'] {
  const forms = ['jovian', 'isthmus', 'ecotone'] as const
  return forms.find((fork) => scene.isActive(fork, timestampS)) ?? 'bedrock'
}

function attributesOf(block: Block): Attributes | undefined {
  const first = block.transactions[0]
  return first === undefined ? undefined : readAttributes(first.input)
}

/** A block opens with its attributes deposit; origins follow one another, and blocks of one are counted. */
export function checkOrigin(
  scene: RollupScene,
  parent: Block,
  block: Block,
  genesis: Pick<L1Block, 'number' | 'hash' | 'timestamp'>,
): Attributes {
  const [first, ...others] = block.transactions
  assert(first !== undefined && isDeposit(first), 'a block opens with a deposit')
  assert.equal(first.from, DEPOSITOR)
  assert.equal(first.to, OP_PREDEPLOYS.L1Block)
  const origin = readAttributes(first.input)
  assert.equal(origin.form, formAt(scene, timeOf(parent)), 'the form of the attributes')
  const { number, hash, sequenceNumber, timestamp } = origin
  const sourceHash = getSourceHash({ domain: 'l1InfoDeposit', l1BlockHash: hash, sequenceNumber })
  assert.equal((first as { sourceHash?: Hash }).sourceHash, sourceHash)
  const before = attributesOf(parent) ?? { ...genesis, sequenceNumber: 0 }
  assert(timestamp <= timeOf(block), 'an origin is not in the future')
  if (sequenceNumber === 0) {
    assert.equal(number, before.number + 1, 'origins follow one another')
    assert(timestamp >= before.timestamp)
  } else {
    assert.deepEqual([number, hash], [before.number, before.hash], 'the origin stays')
    assert.equal(sequenceNumber, before.sequenceNumber + 1, 'sequence number')
  }
  const sequenced = others.findIndex((transaction) => !isDeposit(transaction))
  const deposits = sequenced < 0 ? others : others.slice(0, sequenced)
  assert(!others.slice(deposits.length).some(isDeposit), 'deposits come first')
  return origin
}

const BASE_TIME = '0x4200000000000000000000000000000000000030'
const SLOT_MS = 200

/** Denim, 200 ms blocks: the second transaction and the block say the same time, which is at least a slot after the parent's. */
function checkSlot(scene: RollupScene, parent: Block, block: Block, name: string): void {
  const told = block.transactions.filter(({ from, to }) => to === BASE_TIME && from === DEPOSITOR)
  if (!scene.isActive('denim', timeOf(block))) {
    assert.deepEqual(told, [], 'no milliseconds before denim')
    assert.equal(block.timestampMs, undefined)
    return
  }
  const [deposit] = told
  assert.deepEqual([told.length, block.transactions[1]], [1, deposit], 'the milliseconds are told once')
  assert.equal(deposit?.input.slice(0, 10), '0x86bdf394')
  const part = Number(`0x${deposit?.input.slice(10)}`)
  assert([0, 200, 400, 600, 800].includes(part), `milliseconds ${part}`)
  const ms = 1000 * timeOf(block) + part
  assert.equal(block.timestampMs, name === 'pending' ? undefined : toQuantity(ms))
  if (!scene.isActive('denim', timeOf(parent))) assert.equal(part, 0, 'denim begins with a second')
  else assert(ms >= Number(parent.timestampMs ?? 1000 * timeOf(parent)) + SLOT_MS, 'a slot after its parent')
}

/** Fork activations bring transactions of their own, whose block takes nothing from the pool. */
const POOLLESS: readonly OpFork[] = ['ecotone', 'fjord', 'isthmus', 'jovian']

function checkSequenced(scene: RollupScene, parent: Block, block: Block, origin: Attributes): void {
  const isSequenced = block.transactions.some((transaction) => !isDeposit(transaction))
  if (!isSequenced) return
  const [before, now] = [timeOf(parent), timeOf(block)]
  const begun = POOLLESS.filter((fork) => scene.isActive(fork, now) && !scene.isActive(fork, before))
  assert.deepEqual(begun, [], 'the first block of a fork has deposits alone')
  assert(now - origin.timestamp <= scene.mostDriftS(origin.timestamp), 'sequencer drift')
}

/** What a transaction pays besides gas: the L1 data fee by its receipt, and the operator fee by the specification. */
export function rollupFeesOf(
  scene: RollupScene,
  block: Block,
  transaction: RpcTransaction,
  receipt: RpcReceipt,
): { readonly l1: bigint; readonly operator: bigint } {
  if (isDeposit(transaction)) return { l1: 0n, operator: 0n }
  const { operatorFeeScalar: scalar, operatorFeeConstant: constant } = readAttributes(
    block.transactions[0]!.input,
  )
  const gas = BigInt(receipt.gasUsed)
  const timestamp = timeOf(block)
  const l1 = BigInt(receipt.l1Fee!)
  if (scene.isActive('jovian', timestamp)) return { l1, operator: gas * scalar * 100n + constant }
  if (scene.isActive('isthmus', timestamp)) return { l1, operator: (gas * scalar) / 1_000_000n + constant }
  return { l1, operator: 0n }
}

/** The L1 data fee by the numbers of the receipt (ecotone and fjord: with both scalars). */
function checkL1Fee(receipt: RpcReceipt): void {
  const { l1GasUsed, l1GasPrice, l1BaseFeeScalar, l1BlobBaseFee, l1BlobBaseFeeScalar, l1Fee } = receipt
  if (l1BaseFeeScalar === undefined) {
    const [whole = '0', fraction = ''] = receipt.l1FeeScalar!.split('.')
    const millionths = BigInt(whole + fraction.padEnd(6, '0'))
    assert.equal(BigInt(l1Fee!), (BigInt(l1GasUsed!) * BigInt(l1GasPrice!) * millionths) / 1_000_000n)
    return
  }
  const price =
    16n * BigInt(l1GasPrice!) * BigInt(l1BaseFeeScalar) +
    BigInt(l1BlobBaseFee!) * BigInt(l1BlobBaseFeeScalar!)
  // From fjord on the size is in millionths, which the receipt's gas rounds down to sixteenths of a byte.
  const atGas = (gas: bigint): bigint => (gas * price) / 16_000_000n
  const [least, most] = [atGas(BigInt(l1GasUsed!)), atGas(BigInt(l1GasUsed!) + 1n)]
  assert(BigInt(l1Fee!) >= least && BigInt(l1Fee!) <= most, `L1 fee ${l1Fee}`)
}

export interface BlockWorlds {
  readonly before: WorldState
  readonly after: WorldState
}

/** The ether that deposits made. */
export function mintedIn(block: Block): bigint {
  return block.transactions.reduce((sum, it) => sum + BigInt((it as { mint?: Hex }).mint ?? 0), 0n)
}

interface VaultFees {
  readonly baseFees: bigint
  readonly l1Fees: bigint
  readonly operatorFees: bigint
}

/** The vaults have what the receipts say. */
export function checkVaults({ before, after }: BlockWorlds, fees: VaultFees): void {
  const gained = (vault: Address): bigint =>
    readAccount(after, vault).balance - readAccount(before, vault).balance
  assert.equal(gained(OP_PREDEPLOYS.BaseFeeVault), fees.baseFees, 'the base fees are in their vault')
  assert.equal(gained(OP_PREDEPLOYS.L1FeeVault), fees.l1Fees, 'the L1 data fees are in their vault')
  assert.equal(
    gained(OP_PREDEPLOYS.OperatorFeeVault),
    fees.operatorFees,
    'the operator fees are in their vault',
  )
}

const EMPTY_TRIE = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
const NO_REQUESTS = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

async function checkHeader(
  chain: Emulator,
  state: NodeState,
  scene: RollupScene,
  name: string,
  block: Block,
  receipts: readonly RpcReceipt[],
): Promise<void> {
  const isActive = (fork: OpFork): boolean => scene.isActive(fork, timeOf(block))
  // A fault may let eth_getProof fail, or answer from an old block.
  const { faults } = state.controls
  if (isActive('isthmus') && faults.length === 0) {
    const passer = OP_PREDEPLOYS.L2ToL1MessagePasser
    const { storageHash } = await chain.request('eth_getProof', [passer, [], name as 'latest'])
    assert.equal(block.withdrawalsRoot, storageHash, 'withdrawalsRoot is the root of the message passer')
    assert.equal(block.requestsHash, NO_REQUESTS)
  } else if (!isActive('isthmus')) {
    assert.equal(block.withdrawalsRoot, isActive('canyon') ? EMPTY_TRIE : undefined)
    assert.equal(block.requestsHash, undefined)
  }
  if (isActive('jovian')) {
    const footprint = receipts.reduce((sum, { blobGasUsed }) => sum + BigInt(blobGasUsed!), 0n)
    assert.equal(BigInt(block.blobGasUsed!), footprint, 'blobGasUsed is the DA footprint')
    assert(footprint <= BigInt(block.gasLimit), 'the DA footprint has a limit')
  } else {
    assert.equal(block.blobGasUsed, isActive('ecotone') ? '0x0' : undefined)
  }
}

/** The block's parameters are those of the system configuration at its L1 origin. */
function checkSystem(
  scene: RollupScene,
  { rollup }: NodeState,
  block: Block,
  { number, hash }: Attributes,
): void {
  assert(rollup !== undefined)
  const known = rollup.plan?.origin.hash === hash ? rollup.plan.origin : rollup.l1Blocks.get(number)
  const { system } = known?.hash === hash ? known : rollup.l1Genesis
  const isDynamic = scene.isActive('holocene', timeOf(block))
  const isJovian = scene.isActive('jovian', timeOf(block))
  assert.equal(block.extraData.length, isJovian ? 36 : isDynamic ? 20 : block.extraData.length, 'extraData')
  if (!isDynamic) return
  const { denominator, elasticity, minBaseFee } = readExtraData(block.extraData)
  const { eip1559 } = system
  const expected =
    eip1559.denominator === 0
      ? scene.parametersAt(timeOf(block))
      : { denominator: BigInt(eip1559.denominator), elasticity: BigInt(eip1559.elasticity) }
  assert.deepEqual({ denominator, elasticity }, expected, 'parameters of the base fee')
  assert.equal(minBaseFee, isJovian ? system.minBaseFee : 0n)
}

/** Checks what only a rollup's block has. `isSequenced`: whether a test has not given its transactions. */
export async function checkRollupBlock(
  chain: Emulator,
  state: NodeState,
  scene: RollupScene,
  { parent, block, name }: { readonly parent: Block; readonly block: Block; readonly name: string },
  receipts: readonly RpcReceipt[],
  isSequenced: boolean,
): Promise<void> {
  assert(state.rollup !== undefined)
  const origin = checkOrigin(scene, parent, block, state.rollup.l1Genesis)
  checkSlot(scene, parent, block, name)
  if (isSequenced) checkSequenced(scene, parent, block, origin)
  checkSystem(scene, state, block, origin)
  for (const [index, transaction] of block.transactions.entries()) {
    if (!isDeposit(transaction)) checkL1Fee(receipts[index]!)
  }
  await checkHeader(chain, state, scene, name, block, receipts)
}

/** Senders of the protocol's own deposits: attributes and upgrades. */
const PROTOCOL: ReadonlySet<Address> = new Set([
  DEPOSITOR,
  '0x0000000000000000000000000000000000000000',
  // The deployers that EIP-4788 and EIP-2935 name.
  '0x0b799c86a49deeb90402691f1041aa3af2d3c875',
  '0x3462413af4609098e1e27a490f554f260213d685',
  ...Array.from({ length: 16 }, (_, i): Address => `0x421${i.toString(16).padStart(37, '0')}`),
])

export function isUserDeposit(transaction: RpcTransaction): boolean {
  return isDeposit(transaction) && !PROTOCOL.has(transaction.from)
}

/** The users' deposits of a block, by its hash. */
const known = new Map<Hash, readonly Hash[]>()

function depositsOf({ executed }: Pick<OpenBlock, 'executed'>): Hash[] {
  return executed.flatMap(({ transaction: { deposit, sender, hash } }) =>
    deposit === undefined || PROTOCOL.has(sender) ? [] : [hash],
  )
}

/** The users' deposits of the chain's blocks, the last of which is being built. */
function depositsIn({ chain, rollup }: NodeState): Hash[] {
  const building = chain.open ?? rollup?.opening
  const sealed = [...fullBlocksFromHead(chain)].flatMap((block) => {
    const deposits = known.get(block.hash) ?? depositsOf(block)
    known.set(block.hash, deposits)
    return deposits
  })
  return [...(building === undefined ? [] : depositsOf(building)), ...sealed]
}

/** Each deposit that was asked for is once in a block, or in an L1 block that is to be an origin, and there is no other. */
export function checkDeposits(state: NodeState, pending: Block, asked: ReadonlySet<Hash>): void {
  const { rollup } = state
  assert(rollup !== undefined)
  const { number } = readAttributes(pending.transactions[0]!.input)
  const isMadeUp = rollup.plan !== undefined && !rollup.l1Blocks.has(number)
  const later = [...rollup.l1Blocks.values()].filter((origin) => origin.number > number)
  const waiting = [...later.flatMap(({ deposits }) => deposits), ...(isMadeUp ? [] : rollup.waiting)]
  const hashes = waiting.map((deposit) => keccak256(encodeDeposit(deposit)))
  const found = [...depositsIn(state), ...hashes]
  assert.deepEqual(found.toSorted(), [...asked].sort(), 'each deposit is there once')
}
