// The opening of a rollup's block: the deposits that come before all transactions of the pool. They are the L1 attributes
// deposit, the users' deposits in the first block of an L1 origin, and what a fork brings to its first block. They are
// executed before anything else can see the block, and again whenever what they depend on has changed.

import { addPartial, type OpenBlock, type PartialBlock, type SealedBlock } from '../../chain/block/block.ts'
import { BlockRun } from '../../chain/block/execute-block.ts'
import { openOnHead } from '../../chain/chain.ts'
import { withEvm } from '../../execution/evm/evm-pool.ts'
import { depositTransaction } from '../../pool/decode.ts'
import { type Pool, pruneOvertaken } from '../../pool/pool.ts'
import type { Deposit } from '../../rollup/deposit.ts'
import type { Rules } from '../../rollup/rules.ts'
import { forksBegun, type StackRules } from '../../rollup/stack.ts'
import { readAccount } from '../../state/world-state.ts'
import type { NodeState } from '../node-state.ts'
import * as states from '../node-state.ts'
import {
  attributesOf,
  chooseOrigin,
  type OpeningPlan,
  type OriginChoice,
  type RollupState,
} from './origins.ts'

/** The deposits that a block on `parent` opens with, in their order; `ms` is the time of the block. */
export async function openingDeposits(
  { origin, sequenceNumber }: OriginChoice,
  rules: Rules,
  { rules: parent, header: { number } }: Pick<SealedBlock, 'rules' | 'header'>,
  ms: number,
): Promise<Deposit[]> {
  const { stack, changes } = rules.rollup as StackRules
  const attributes = stack.attributesDeposit(rules, { origin, sequenceNumber, system: origin.system }, parent)
  const deposits = [attributes]
  if (changes.slotMs !== undefined) deposits.push(stack.timeDeposit(number + 1, ms % 1000))
  if (sequenceNumber === 0) deposits.push(...origin.deposits)
  for (const { upgrade } of forksBegun(rules, parent)) deposits.push(...((await upgrade?.()) ?? []))
  return deposits
}

/** Executes deposits in an empty block. Nothing can keep a deposit out, not even the block's gas limit. */
function executeDeposits(state: NodeState, empty: OpenBlock, deposits: readonly Deposit[]) {
  return withEvm(states.executionContext(state, empty.rules), empty.state, async (instance) => {
    const run = new BlockRun(empty, instance)
    for (const deposit of deposits) await run.execute(depositTransaction(deposit))
    return addPartial(empty, { index: 0, executed: run.executed }, instance.writer.current)
  })
}

/** Inputs of the next block's origin; on a real layer 1 the origin itself, since it is not made up anew. */
function originInputs(state: NodeState, rollup: RollupState): unknown[] {
  const { config, l1Blocks, l1Head, waiting, system, nextOrigin } = rollup
  if (config.layer1 === 'made-up') return [l1Blocks, l1Head, waiting, system, nextOrigin]
  const { origin, sequenceNumber } = chooseOrigin(rollup, state.chain.head, states.nextBlockTimestamp(state))
  return [origin, sequenceNumber]
}

/** All that the opening of the next block depends on, besides the configuration. */
function inputsOf(state: NodeState, rollup: RollupState): readonly unknown[] {
  const { chain, settings, controls, prevRandaoSource } = state
  const inputs: unknown[] = [chain.head, states.nextMoment(state), prevRandaoSource.prevRandao]
  inputs.push(settings.chainId, settings.coinbase, settings.blockGasLimit, settings.extraData)
  inputs.push(controls.nextBaseFee, controls.nextPrevRandao, controls.impersonatedSignatures)
  inputs.push(rollup.gasLimit, ...originInputs(state, rollup))
  return inputs
}

/** True if listeners who were told of one opening know the transactions of the other. */
function isAlike(before: OpenBlock, after: OpenBlock): boolean {
  const hashes = ({ executed }: OpenBlock) => executed.map(({ transaction }) => transaction.hash).join()
  return before.environment.parentHash === after.environment.parentHash && hashes(before) === hashes(after)
}

async function openNext(state: NodeState, rollup: RollupState, inputs: OpeningPlan['inputs']) {
  const { head } = state.chain
  const rules = states.nextRules(state)
  const choice = chooseOrigin(rollup, head, states.nextBlockTimestamp(state))
  const deposits = await openingDeposits(choice, rules, head, states.nextMoment(state))
  const empty = openOnHead(state.chain, rules, states.nextEnvironment(rules, state, choice))
  const opening = await executeDeposits(state, empty, deposits)
  const { opening: before, isOpeningTold } = rollup
  const isStillTold = isOpeningTold && before !== undefined && isAlike(before, opening)
  // Not by spreading the choice, which takes an engine longer than a deposit.
  const plan: OpeningPlan = { origin: choice.origin, sequenceNumber: choice.sequenceNumber, inputs }
  return { ...rollup, opening, plan, isOpeningTold: isStillTold }
}

/** The pool without transactions whose nonces users' deposits have taken. */
function withoutOvertaken(pool: Pool, opening: OpenBlock | undefined): Pool {
  // The first deposit is the L1 attributes', of whose sender there are no others.
  if (opening === undefined || opening.executed.length < 2 || pool.bySender.size === 0) return pool
  return pruneOvertaken(pool, (sender) => readAccount(opening.state, sender).nonce)
}

/**
 * The state with the opening of the block being built as everything stands now; the same state for a chain that is no
 * rollup, or whose block has begun.
 */
export async function withOpening(state: NodeState): Promise<NodeState> {
  const { rollup, chain } = state
  if (rollup === undefined || chain.open !== undefined) return state
  const inputs = inputsOf(state, rollup)
  if (rollup.plan?.inputs.every((value, index) => value === inputs[index])) return state
  const next = await openNext(state, rollup, inputs)
  return { ...state, pool: withoutOvertaken(state.pool, next.opening), rollup: next }
}

/** The state without the opening, whose origin the chain now has: the block has begun, or is sealed. */
export function leaveOpening(state: NodeState): NodeState {
  const { rollup } = state
  if (rollup?.plan === undefined) return state
  const { origin } = rollup.plan
  const { l1Blocks, l1Head, waiting } = rollup
  const left = {
    ...rollup,
    l1Blocks: l1Blocks.has(origin.number) ? l1Blocks : l1Blocks.set(origin.number, origin),
    l1Head: Math.max(l1Head, origin.number),
    waiting: origin.deposits === waiting ? [] : waiting,
    nextOrigin: undefined,
    opening: undefined,
    plan: undefined,
  }
  return { ...state, rollup: left }
}

/** The state in which the block being built has begun with its opening alone; the same state if it had begun. */
export function beginWithOpening(state: NodeState): NodeState {
  const open = states.blockBeingBuilt(state)
  if (state.chain.open !== undefined || open === undefined) return state
  const begun = leaveOpening(state)
  return { ...begun, chain: { ...begun.chain, open } }
}

/** The partial block with the deposits that the block being built opens with; `undefined` without a rollup. */
export function openingPartial(state: NodeState): PartialBlock | undefined {
  const first = states.blockBeingBuilt(state)?.partials[0]
  return first?.index === 0 ? first : undefined
}

/** True if a block takes nothing from the pool because a fork begins with it. */
export function isUpgradeBlock({ rules, parent }: OpenBlock): boolean {
  // (op-node, Sequencer)
  return forksBegun(rules, parent.rules).some(({ upgrade }) => upgrade !== undefined)
}

/** True if a block takes transactions from the pool. */
export function takesFromPool(state: NodeState, open: OpenBlock): boolean {
  const { rollup } = state
  if (rollup === undefined) return true
  const origin = attributesOf(open)?.origin
  if (origin === undefined) return true
  if (isUpgradeBlock(open)) return false
  return open.environment.timestamp <= origin.timestamp + mostDriftS(state, origin.timestamp)
}

/** The most seconds that a block may be ahead of an L1 origin of this time. */
export function mostDriftS(state: NodeState, timestamp: number): number {
  const most = state.rollup?.config.maxSequencerDriftS
  if (most !== undefined) return most
  const rules = states.scheduleIn(state).rulesAt({ number: 0, timestamp, difficulty: 0n })
  return rules.rollup?.changes.maxSequencerDriftS as number
}
