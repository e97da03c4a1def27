// eth_simulateV1: blocks of unsigned calls on top of a block of the chain, with state and header overrides.
// Does not change the chain. Follows geth, internal/ethapi/simulate.go.

import { overrideEnvironment } from '../../execution/call/run-call.ts'
import { withEvm } from '../../execution/evm/evm-pool.ts'
import type * as evms from '../../execution/evm/pooled-evm.ts'
import {
  type SimulatedTransaction,
  type SimulationMode,
  simulateTransaction,
} from '../../execution/transaction/simulate-transaction.ts'
import { failure } from '../../primitives/errors.ts'
import { EMPTY_BYTES, type Hash, ZERO_HASH } from '../../primitives/hex.ts'
import type { BlockEnvironment } from '../../rollup/header.ts'
import { overridePrecompiles } from '../../rollup/precompiles.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import type { Schedule } from '../../rollup/schedule.ts'
import { overrideState } from '../../state/overrides.ts'
import { commitState, stateRoot } from '../../state/state-tries.ts'
import { addPartial, type OpenBlock, openBlockOn, type SealedBlock, sealBlock } from '../block/block.ts'
import { completeBody, feesAfter } from '../block/execute-block.ts'
import { type PlannedBlock, planBlocks, type SimulatedBlock, toTransaction } from './simulation-plan.ts'

interface SimulationContext {
  readonly schedule: Schedule
  readonly executionUnder: (rules: Rules) => evms.ExecutionContext
}

export interface Simulation extends SimulationMode {
  readonly blocks: readonly SimulatedBlock[]
  /** Gas limit of all calls together. */
  readonly gasBudget: bigint
}

export interface SimulatedBlockResult {
  readonly block: SealedBlock
  readonly calls: readonly SimulatedTransaction[]
}

/** The rules of a block after `parent`. Before the merge it has its parent's difficulty, afterwards zero, as in geth. */
function rulesAfter({ schedule }: SimulationContext, parent: SealedBlock, block: PlannedBlock): Rules {
  const { number, timestamp, header } = block
  const { mergeBlock } = schedule
  const before = parent.header.difficulty
  const isMerged = before === 0n || (mergeBlock !== undefined && number >= mergeBlock)
  const difficulty = isMerged ? 0n : (header.difficulty ?? before)
  return schedule.rulesAt({ number, timestamp, difficulty })
}

/** On a rollup the parent's, so that the base fee after the block follows from it; a fork may have changed its form. */
function extraDataAfter(rules: Rules, { header }: SealedBlock): Uint8Array {
  if (rules.rollup === undefined) return EMPTY_BYTES
  const unset = rules.rollup.stack.encodeExtraData(rules, {
    eip1559: { denominator: 0, elasticity: 0 },
    minBaseFee: 0n,
  })
  return header.extraData.length === unset.length ? header.extraData : unset
}

function environmentAfter(
  rules: Rules,
  parent: SealedBlock,
  { header, number, timestamp }: PlannedBlock,
  mode: SimulationMode,
): BlockEnvironment {
  const { coinbase, gasLimit, difficulty } = parent.header
  const fees = feesAfter(rules, parent)
  const derived: BlockEnvironment = {
    number,
    timestamp,
    coinbase,
    gasLimit,
    difficulty,
    ...fees,
    parentHash: parent.hash,
    // Without full checking calls may name no fee, so the base fee has to be zero.
    baseFeePerGas: mode.checking === 'full' ? fees.baseFeePerGas : 0n,
    prevRandao: ZERO_HASH,
    extraData: extraDataAfter(rules, parent),
    parentBeaconBlockRoot: header.beaconRoot ?? ZERO_HASH,
  }
  return overrideEnvironment(rules, derived, header)
}

/** Before byzantium a receipt holds the state root after its transaction. */
function withPostState(open: OpenBlock, { writer }: evms.EvmInstance, done: SimulatedTransaction) {
  if (isForkActive(open.rules, 'byzantium')) return done
  const postState = stateRoot(commitState(open.parent.committed, writer.current))
  const { executed } = done
  return { ...done, executed: { ...executed, receipt: { ...executed.receipt, postState } } }
}

async function runCalls(
  instance: evms.EvmInstance,
  open: OpenBlock,
  { calls }: PlannedBlock,
  simulation: Simulation,
  budget: bigint,
): Promise<SimulatedTransaction[]> {
  const { environment, rules } = open
  const done: SimulatedTransaction[] = []
  let gasUsed = 0n
  let logCount = 0
  for (const call of calls) {
    if (gasUsed >= budget) throw failure('simulationTooLarge', { what: 'gas', most: simulation.gasBudget })
    const { gasLimit: blockGasLimit } = environment
    const gasLeft = { blockGasLimit, blockGasUsed: gasUsed, budget: budget - gasUsed }
    const transaction = toTransaction(rules, instance.writer.current, call, gasLeft)
    const progress = { gasUsed, logCount, transactionCount: done.length }
    const simulated = await simulateTransaction(instance, environment, progress, transaction, simulation)
    gasUsed = simulated.executed.receipt.cumulativeGasUsed
    logCount += simulated.logCount
    done.push(withPostState(open, instance, simulated))
  }
  return done
}

/** Order as in geth: state overrides, system calls, calls. */
async function simulateBlock(
  context: SimulationContext,
  blockHashOf: evms.BlockHashOf,
  parent: SealedBlock,
  planned: PlannedBlock,
  simulation: Simulation,
  budget: bigint,
): Promise<SimulatedBlockResult> {
  const rules = rulesAfter(context, parent, planned)
  const environment = environmentAfter(rules, parent, planned, simulation)
  const execution: evms.ExecutionContext = {
    ...context.executionUnder(rules),
    blockHashOf,
    precompiles: overridePrecompiles(rules, planned.stateOverrides),
  }
  const state = overrideState(parent.committed.state, planned.stateOverrides)
  const open = openBlockOn(rules, parent, environment, state)
  const { calls, after } = await withEvm(execution, open.state, async (instance) => ({
    calls: await runCalls(instance, open, planned, simulation, budget),
    after: instance.writer.current,
  }))
  const executed = calls.map((call) => call.executed)
  const filled = addPartial(open, { index: 1, executed }, after)
  const complete = await completeBody(execution, filled, planned.header.withdrawals)
  return { block: sealBlock(complete), calls }
}

/** Simulates blocks on `base`; throws at the first call that its block cannot include. */
export async function simulateBlocks(
  context: SimulationContext,
  base: SealedBlock,
  blockHashOf: evms.BlockHashOf,
  simulation: Simulation,
): Promise<SimulatedBlockResult[]> {
  const results: SimulatedBlockResult[] = []
  const hashes = new Map<number, Hash>([[base.header.number, base.hash]])
  let parent = base
  let budget = simulation.gasBudget
  for (const planned of planBlocks(base.header, simulation.blocks)) {
    const hashOf: evms.BlockHashOf = (number) => hashes.get(number) ?? blockHashOf(number)
    const result = await simulateBlock(context, hashOf, parent, planned, simulation, budget)
    results.push(result)
    parent = result.block
    budget -= parent.header.gasUsed
    hashes.set(parent.header.number, parent.hash)
  }
  return results
}
