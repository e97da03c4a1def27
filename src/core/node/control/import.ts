// Import of foreign blocks, and export of the chain's own.

import { encodeSealedBlock, type SealedBlock } from '../../chain/block/block.ts'
import { hasSlots, momentOf } from '../../chain/block/moment.ts'
import { appendBlock, blocksBetween } from '../../chain/chain.ts'
import { type DecodedBlock, decodeBlocks } from '../../chain/import/decode-block.ts'
import { importBlock } from '../../chain/import/import-block.ts'
import { firstSkipped } from '../../chain/runs/runs.ts'
import { isDeposit } from '../../execution/transaction/run-transaction.ts'
import { depositTransaction } from '../../pool/decode.ts'
import { failure } from '../../primitives/errors.ts'
import { concatBytes } from '../../primitives/hex.ts'
import { type Deposit, decodeDeposit } from '../../rollup/deposit.ts'
import type { Rules } from '../../rollup/rules.ts'
import { forksBegun, type ReadAttributes } from '../../rollup/stack.ts'
import { settingsAfter } from '../clock/block-timing.ts'
import { consoleLogsOf, Steps, type Transition } from '../events.ts'
import { numberOfTag } from '../lookup.ts'
import {
  executionContext,
  LATEST_TIME_MS,
  type NodeConfig,
  type NodeState,
  scheduleIn,
} from '../node-state.ts'
import { attributesOf, madeUpSourceHash } from '../rollup/origins.ts'
import type { RollupConfig, RollupState } from '../rollup/rollup-state.ts'
import { withoutNext } from './controls.ts'

/** The deposits that wait after a block of the made-up layer 1 came from elsewhere: later ones, unless they were in it. */
function waitingAfter(
  config: RollupConfig,
  rollup: RollupState,
  imported: readonly Deposit[],
  l1Head: number,
): readonly Deposit[] {
  const { waiting } = rollup
  if (waiting.length === 0) return waiting
  const hashOf = (deposit: Deposit) => depositTransaction(deposit).hash
  const included = new Set(imported.map(hashOf))
  return waiting
    .filter((deposit) => !included.has(hashOf(deposit)))
    .map((deposit, position) => {
      const sourceHash = madeUpSourceHash(config, rollup, l1Head + 1, position)
      return { ...deposit, sourceHash }
    })
}

const hashesOf = (deposits: readonly Deposit[]): string =>
  deposits.map((deposit) => depositTransaction(deposit).hash).join()

/** Throws `layersApart` if an imported block has another L1 origin than the layer 1 has told, or other deposits. */
function expectTold(
  { l1Genesis, l1Blocks }: RollupState,
  { origin, sequenceNumber }: ReadAttributes,
  deposits: readonly Deposit[],
): void {
  const told = origin.number === l1Genesis.number ? l1Genesis : l1Blocks.get(origin.number)
  if (told?.hash !== origin.hash) {
    throw failure('layersApart', { reason: `${origin.hash} is not block ${origin.number} of the layer 1` })
  }
  if (hashesOf(deposits) !== hashesOf(sequenceNumber === 0 ? told.deposits : [])) {
    throw failure('layersApart', { reason: `block ${origin.number} of the layer 1 has other deposits` })
  }
}

/**
 * The state with the L1 block that an imported block is the first of, and the users' deposits in it: a block that
 * replaces the imported one includes them again. A real layer 1 has told of its blocks, and no others are taken.
 */
async function withImportedOrigin(
  config: RollupConfig,
  rollup: RollupState,
  { rules, parentRules, executed }: Pick<SealedBlock, 'rules' | 'executed'> & { readonly parentRules: Rules },
): Promise<RollupState> {
  const attributes = attributesOf({ rules, executed })
  if (attributes === undefined) return rollup
  const { origin, sequenceNumber } = attributes
  const opening = executed.filter(({ transaction }) => isDeposit(transaction))
  let upgrades = 0
  for (const { upgrade } of forksBegun(rules, parentRules)) upgrades += (await upgrade?.())?.length ?? 0
  const own = hasSlots({ rules }) ? 2 : 1
  const ofUsers = opening.slice(own, opening.length - upgrades)
  const deposits = ofUsers.map(({ transaction }) => decodeDeposit(transaction.raw))
  if (config.layer1 === 'told') expectTold(rollup, attributes, deposits)
  if (config.layer1 === 'told' || sequenceNumber !== 0) return rollup
  const l1Head = Math.max(rollup.l1Head, origin.number)
  return {
    ...rollup,
    l1Blocks: rollup.l1Blocks.set(origin.number, { ...origin, deposits, system: rollup.system }),
    l1Head,
    waiting: waitingAfter(config, rollup, deposits, l1Head),
  }
}

/** The numbers of the blocks that become `safe` and `finalized`. */
export interface ImportMarks {
  readonly safe: number | undefined
  readonly finalized: number | undefined
}

function withHead(state: NodeState, block: SealedBlock): NodeState {
  const nowMs = Math.max(state.nowMs, momentOf(block))
  const { gasLimit } = block.header
  return {
    ...state,
    nowMs,
    openedAtMs: nowMs,
    partialsClosed: 0,
    chain: appendBlock(state.chain, block),
    nextTimestamp: undefined,
    controls: withoutNext(state.controls),
    prevRandaoSource: block.header,
    settings: settingsAfter({ ...state.settings, blockGasLimit: gasLimit }, block, state.chain.head),
  }
}

/** The state that knows the L1 origin of an imported block. */
async function withOriginOf(
  state: NodeState,
  { rules, executed }: SealedBlock,
  parentRules: Rules,
): Promise<NodeState> {
  const { rollup } = state
  if (rollup === undefined) return state
  return {
    ...state,
    rollup: await withImportedOrigin(rollup.config, rollup, { rules, parentRules, executed }),
  }
}

/** Refuses a block beyond the end of the clock, which follows the blocks. */
function checkTime({ header: { number, timestamp } }: DecodedBlock): void {
  const most = LATEST_TIME_MS / 1000
  if (timestamp <= most) return
  const expected = `at most ${most}, where the clock ends`
  throw failure('invalidBlock', { number, check: 'timestamp', expected, got: `${timestamp}` })
}

function refuseMarks(expected: string, given: number): never {
  throw failure('invalidCall', { call: 'importBlocks', reason: `expected ${expected}, got ${given}` })
}

function withMarks(state: NodeState, { safe, finalized }: ImportMarks): NodeState {
  const { settings, chain } = state
  const marks = { safe: safe ?? settings.marks.safe, finalized: finalized ?? settings.marks.finalized }
  const marked = { ...state, settings: { ...settings, marks } }
  const head = chain.head.header.number
  for (const [name, mark] of Object.entries({ safe, finalized })) {
    const isTooLow = mark !== undefined && mark < chain.first
    if (isTooLow) refuseMarks(`${name} to be at least ${chain.first}, the first block`, mark)
  }
  if (safe !== undefined && safe > head) refuseMarks(`safe to be at most ${head}, the head`, safe)
  const isMarking = safe !== undefined || finalized !== undefined
  const safeNumber = numberOfTag(marked, 'safe')
  if (isMarking && marks.finalized !== undefined && marks.finalized > safeNumber) {
    refuseMarks(`finalized to be at most ${safeNumber}, the safe block`, marks.finalized)
  }
  return marked
}

/**
 * Executes blocks one after another on the head and checks everything in their headers. An invalid block is refused
 * with the check that failed, and no block is imported.
 */
export async function importBlocks(
  config: NodeConfig,
  start: NodeState,
  rlp: Uint8Array,
  marks: ImportMarks,
): Promise<Transition> {
  if (start.chain.open !== undefined) throw failure('blockBegun')
  const steps = new Steps(start)
  for (const decoded of decodeBlocks(rlp)) {
    checkTime(decoded)
    const { state: before } = steps
    const { chain } = before
    const context = {
      schedule: scheduleIn(config, start),
      executionUnder: (rules: Parameters<typeof executionContext>[2]) =>
        executionContext(config, before, rules),
      chain,
    }
    const block = await importBlock(context, chain.head, decoded)
    const state = await withOriginOf(withHead(before, block), block, chain.head.rules)
    steps.events.push(...consoleLogsOf(block.executed, block.header.number))
    steps.add({ state, events: [{ type: 'blockSealed', block, state }], result: undefined })
  }
  steps.state = withMarks(steps.state, marks)
  return steps.finish()
}

/**
 * The chain above genesis as geth exports it: the RLP of its blocks, one after another. Refused if a run skips the
 * system writes of its blocks, or their proof of work, because such blocks do not verify elsewhere.
 */
export function exportBlocks({ chain }: NodeState): Uint8Array {
  const skipped = firstSkipped(chain.runs)
  if (skipped !== undefined) throw failure('notExportable', skipped)
  const blocks = blocksBetween(chain, chain.first + 1, chain.head.header.number)
  return concatBytes(...Array.from(blocks, encodeSealedBlock))
}
