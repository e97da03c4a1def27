// What the node of a rollup says of it, in the shapes of op-node, whose numbers are JSON numbers.

import type { SealedBlock } from '../../chain/block/block.ts'
import { blockAt } from '../../chain/chain.ts'
import { expectProofs, numberOfTag } from '../../node/lookup.ts'
import { scheduleIn } from '../../node/node-state.ts'
import { requireRollup } from '../../node/rollup/layer1.ts'
import { mostDriftS } from '../../node/rollup/opening.ts'
import { type L1Block, originOf } from '../../node/rollup/origins.ts'
import * as hex from '../../primitives/hex.ts'
import { concatBytes, padLeft } from '../../primitives/hex.ts'
import { outputRoot } from '../../rollup/op/output-root.ts'
import { forksUpTo, type StackRules, type SystemConfig } from '../../rollup/stack.ts'
import { storageRoot } from '../../state/state-tries.ts'
import { blockTagOrNumber } from '../codecs/basic.ts'
import { required } from '../codecs/codec.ts'
import { defineRead } from '../method.ts'
import { type ReadContext, viewIn } from '../session.ts'
import { VERSION } from '../transaction-outcome.ts'

function rollupView({ state }: ReadContext, call: string) {
  return { state, rollup: requireRollup(state, call) }
}

type RollupView = ReturnType<typeof rollupView>

function formatL1Ref({ rollup }: RollupView, { hash, number, timestamp }: L1Block) {
  return { hash, number, parentHash: rollup.l1Blocks.get(number - 1)?.hash ?? hex.ZERO_HASH, timestamp }
}

function formatL2Ref({ rollup }: RollupView, block: SealedBlock) {
  const { number, parentHash, timestamp } = block.header
  const { origin, sequenceNumber } = originOf(rollup, block)
  return {
    hash: block.hash,
    number,
    parentHash,
    timestamp,
    l1origin: { hash: origin.hash, number: origin.number },
    sequenceNumber,
  }
}

/** The node is never behind: it has read all L1 blocks. `safe` and `finalized` of L1 are the origins of those of L2. */
function formatSyncStatus(view: RollupView) {
  const { state, rollup } = view
  const sealed = (tag: 'latest' | 'safe' | 'finalized') =>
    blockAt(state.chain, numberOfTag(state, tag)) as SealedBlock
  const originRef = (block: SealedBlock) => formatL1Ref(view, originOf(rollup, block).origin)
  const [unsafe, safe, finalized] = [sealed('latest'), sealed('safe'), sealed('finalized')]
  const head = formatL1Ref(view, rollup.l1Blocks.get(rollup.l1Head) ?? rollup.l1Genesis)
  const safeRef = formatL2Ref(view, safe)
  return {
    current_l1: head,
    current_l1_finalized: originRef(finalized),
    head_l1: head,
    safe_l1: originRef(safe),
    finalized_l1: originRef(finalized),
    unsafe_l2: formatL2Ref(view, unsafe),
    safe_l2: safeRef,
    finalized_l2: formatL2Ref(view, finalized),
    pending_safe_l2: safeRef,
    cross_unsafe_l2: formatL2Ref(view, unsafe),
    local_safe_l2: safeRef,
  }
}

/** The output root of a block (OP stack specification, proposals): what the layer 1 proves withdrawals against. */
function formatOutput(view: RollupView, block: SealedBlock) {
  const { stateRoot } = block.header
  const withdrawalStorageRoot = storageRoot(
    block.committed,
    (block.rules.rollup as StackRules).stack.messagePasser,
  )
  const parts = { stateRoot, messagePasserRoot: withdrawalStorageRoot, blockHash: block.hash }
  return {
    version: hex.ZERO_HASH,
    outputRoot: outputRoot(parts),
    blockRef: formatL2Ref(view, block),
    withdrawalStorageRoot,
    stateRoot,
    syncStatus: formatSyncStatus(view),
  }
}

function toBytes(value: bigint | number, length: number): Uint8Array {
  return padLeft(hex.bigIntToBytes(BigInt(value)), length)
}

function formatSystem(system: SystemConfig, isEcotone: boolean) {
  const { denominator, elasticity } = system.eip1559
  const scalars = concatBytes(toBytes(system.blobBaseFeeScalar, 4), toBytes(system.baseFeeScalar, 4))
  // From ecotone on it is version 1, with both scalars at its end.
  const scalar = isEcotone ? concatBytes(Uint8Array.of(1), padLeft(scalars, 31)) : toBytes(system.scalar, 32)
  const operator = concatBytes(toBytes(system.operatorFeeScalar, 4), toBytes(system.operatorFeeConstant, 8))
  return {
    batcherAddr: `0x${system.batcherHash.slice(-40)}` as hex.Address,
    overhead: hex.bytesToHex(toBytes(system.overhead, 32)),
    scalar: hex.bytesToHex(scalar),
    gasLimit: Number(system.gasLimit),
    eip1559Params: hex.bytesToHex(concatBytes(toBytes(denominator, 4), toBytes(elasticity, 4))),
    operatorFeeParams: hex.bytesToHex(padLeft(operator, 32)),
    minBaseFee: Number(system.minBaseFee),
    daFootprintGasScalar: system.daFootprintGasScalar,
  }
}

/** The protocol's numbers of blocks of the layer 1 in which a batch must come, and in which a channel must end. */
const SEQUENCER_WINDOW = 3600
const CHANNEL_TIMEOUT = 300
const BASE_BLOCK_TIME_S = 2

function formatRollupConfig(view: RollupView) {
  const { state, rollup } = view
  const { chain, settings: blocks } = state
  const genesis = blockAt(chain, chain.first) as SealedBlock
  const { l1Genesis } = rollup
  const { l1Contracts, l1ChainId } = rollup.config
  const schedule = scheduleIn(state)
  const parametersOf = (fork: string) =>
    schedule.activations.find(({ name }) => name === fork)?.rollup?.eip1559
  const times: Record<`${string}_time`, number> = {}
  const base: Record<string, number> = {}
  for (const { name, at, rollup } of schedule.activations) {
    if (at === 'merge' || !('time' in at)) continue
    if (rollup !== undefined && forksUpTo(rollup.stack.forks, name).includes('azul')) base[name] = at.time
    else times[`${name}_time`] = at.time
    // Delta changes only batches; it came between canyon and ecotone.
    if (name === 'canyon') times['delta_time'] = at.time
  }
  const first = parametersOf('bedrock')
  const later = parametersOf('canyon') ?? first
  const hasBlobFees = genesis.rules.rollup?.changes.hasBlobFees === true
  const isOfSlots = genesis.rules.rollup?.changes.slotMs !== undefined
  return {
    genesis: {
      l1: { hash: l1Genesis.hash, number: l1Genesis.number },
      l2: { hash: genesis.hash, number: genesis.header.number },
      l2_time: genesis.header.timestamp,
      system_config: formatSystem(l1Genesis.system, hasBlobFees),
    },
    // Whole seconds: denim's slots begin where a block of Base's time before it would.
    block_time: isOfSlots ? BASE_BLOCK_TIME_S : (blocks.beforeSlots ?? blocks).blockTimeMs / 1000,
    max_sequencer_drift: mostDriftS(state, genesis.header.timestamp),
    seq_window_size: l1Contracts?.sequencingWindow ?? SEQUENCER_WINDOW,
    channel_timeout: l1Contracts?.channelTimeout ?? CHANNEL_TIMEOUT,
    l1_chain_id: l1ChainId,
    l2_chain_id: blocks.chainId,
    ...times,
    ...(Object.keys(base).length === 0 ? {} : { base }),
    batch_inbox_address: l1Contracts?.batchInbox ?? hex.ZERO_ADDRESS,
    deposit_contract_address: l1Contracts?.portal ?? hex.ZERO_ADDRESS,
    l1_system_config_address: l1Contracts?.systemConfig ?? hex.ZERO_ADDRESS,
    chain_op_config: {
      eip1559Elasticity: Number(first?.elasticity ?? 0n),
      eip1559Denominator: Number(first?.denominator ?? 0n),
      eip1559DenominatorCanyon: Number(later?.denominator ?? 0n),
    },
  }
}

export interface RpcOutput extends ReturnType<typeof formatOutput> {}
export interface RpcSyncStatus extends ReturnType<typeof formatSyncStatus> {}
export interface RpcRollupConfig extends ReturnType<typeof formatRollupConfig> {}

export const optimism_outputAtBlock = defineRead({
  summary:
    'The output root of a block, which the layer 1 proves withdrawals against. Refused if the chain is no rollup, and above a fork whose roots are not proven ones.',
  params: [required('block', blockTagOrNumber, 'block')],
  result:
    'object with version, outputRoot, blockRef, withdrawalStorageRoot, stateRoot and syncStatus, with numbers as JSON numbers',
  example: { params: ['0x0'], error: 'notARollup' },
  handle(context, selector): RpcOutput {
    const view = rollupView(context, 'optimism_outputAtBlock')
    expectProofs(context.state)
    return formatOutput(view, viewIn(context, selector).block())
  },
})

export const optimism_syncStatus = defineRead({
  summary:
    'The heads of both layers: `safe` and `finalized` of the layer 1 are the L1 origins of those of the layer 2. Refused if the chain is no rollup.',
  result:
    'object with current_l1, current_l1_finalized, head_l1, safe_l1, finalized_l1, unsafe_l2, safe_l2, finalized_l2, pending_safe_l2, cross_unsafe_l2 and local_safe_l2',
  example: { params: [], error: 'notARollup' },
  handle: (context): RpcSyncStatus => formatSyncStatus(rollupView(context, 'optimism_syncStatus')),
})

export const optimism_rollupConfig = defineRead({
  summary: 'The configuration of the rollup, as in its rollup.json. Refused if the chain is no rollup.',
  result: 'object with genesis, block_time, times of forks, addresses on the layer 1 and more',
  example: { params: [], error: 'notARollup' },
  handle: (context): RpcRollupConfig => formatRollupConfig(rollupView(context, 'optimism_rollupConfig')),
})

export const optimism_version = defineRead({
  summary: 'The version of the rollup node: that of this library. Refused if the chain is no rollup.',
  result: 'string',
  example: { params: [], error: 'notARollup' },
  handle(context) {
    rollupView(context, 'optimism_version')
    return `tickchain/v${VERSION}`
  },
})
