// Import of foreign blocks, and export of the chain's own.

import { encodeSealedBlock, hasSlots, momentOf, type SealedBlock } from '../../chain/block/block.ts'
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
import { forksBegun, type ReadAttributes, type StackRules, type SystemConfig } from '../../rollup/stack.ts'
import { settingsAfter } from '../clock/block-timing.ts'
import { consoleLogsOf, Steps } from '../events.ts'
import { numberOfTag } from '../lookup.ts'
import * as states from '../node-state.ts'
import { attributesOf, madeUpSourceHash, originOf, type RollupState, systemShown } from '../rollup/origins.ts'
import { withoutNext } from './controls.ts'

type ImportedBlock = Pick<SealedBlock, 'rules' | 'header' | 'executed'>

/** The deposits that wait after a block of the made-up layer 1 came from elsewhere: later ones, unless they were in it. */
function waitingAfter(rollup: RollupState, imported: readonly Deposit[], l1Head: number): readonly Deposit[] {
  const { waiting } = rollup
  if (waiting.length === 0) return waiting
  const hashOf = (deposit: Deposit) => depositTransaction(deposit).hash
  const included = new Set(imported.map(hashOf))
  return waiting
    .filter((deposit) => !included.has(hashOf(deposit)))
    .map((deposit, position) => {
      const sourceHash = madeUpSourceHash(rollup, l1Head + 1, position)
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
  if (told?.hash !== origin.hash)
    throw failure('layersApart', { reason: `${origin.hash} is not block ${origin.number} of the layer 1` })
  if (hashesOf(deposits) !== hashesOf(sequenceNumber === 0 ? told.deposits : []))
    throw failure('layersApart', { reason: `block ${origin.number} of the layer 1 has other deposits` })
}

async function usersDeposits({ rules, executed }: ImportedBlock, parentRules: Rules): Promise<Deposit[]> {
  const opening = executed.filter(({ transaction }) => isDeposit(transaction))
  let upgrades = 0
  for (const { upgrade } of forksBegun(rules, parentRules)) upgrades += (await upgrade?.())?.length ?? 0
  const own = hasSlots({ rules }) ? 2 : 1
  const ofUsers = opening.slice(own, opening.length - upgrades)
  return ofUsers.map(({ transaction }) => decodeDeposit(transaction.raw))
}

const textOfField = (value: SystemConfig[keyof SystemConfig]): string =>
  typeof value === 'object' ? `${value.denominator}, ${value.elasticity}` : `${value}`

function differences(after: SystemConfig, before: SystemConfig): Partial<SystemConfig> {
  const names = Object.keys(after) as (keyof SystemConfig)[]
  const differing = names.filter((name) => textOfField(after[name]) !== textOfField(before[name]))
  return Object.fromEntries(differing.map((name) => [name, after[name]]))
}

/** The changes to a configuration that a block shows; `undefined` if it is one of this configuration. */
function changesIn(
  { gasLimit }: RollupState,
  { rules, header, attributes }: ImportedBlock & { readonly attributes: ReadAttributes },
  parentRules: Rules,
  system: SystemConfig,
): Partial<SystemConfig> | undefined {
  const { stack } = rules.rollup as StackRules
  const extraData = stack.encodeExtraData(rules, system)
  const { data } = stack.attributesDeposit(rules, { ...attributes, system }, parentRules)
  const own = { gasLimit: gasLimit ?? system.gasLimit, extraData }
  const expected = systemShown(rules, own, stack.readAttributes(data))
  const changes = differences(systemShown(rules, header, attributes), expected)
  return Object.keys(changes).length === 0 ? undefined : changes
}

/**
 * The state with the L1 block that an imported block is of: its configuration, with which the next block goes on, and
 * the users' deposits in its first block, which a block that replaces that includes again. What a test has changed for
 * the next L1 block stays changed. A real layer 1 has told of its blocks, and no others are taken.
 */
async function withImportedOrigin(rollup: RollupState, block: ImportedBlock, parent: SealedBlock) {
  const attributes = attributesOf(block)
  if (attributes === undefined) return rollup
  const { origin, sequenceNumber } = attributes
  const included = sequenceNumber === 0 ? await usersDeposits(block, parent.rules) : undefined
  if (rollup.config.layer1 === 'told') {
    expectTold(rollup, attributes, included ?? [])
    return rollup
  }
  const { origin: last } = originOf(rollup, parent)
  const changesTo = (system: SystemConfig) =>
    changesIn(rollup, { ...block, attributes }, parent.rules, system)
  const isNext = changesTo(rollup.system) === undefined
  const changes = isNext ? undefined : changesTo(last.system)
  const continued = isNext ? rollup.system : last.system
  const system = changes === undefined ? continued : { ...continued, ...changes }
  const withChanges = (of: SystemConfig) => (of === last.system ? system : { ...of, ...changes })
  if (included === undefined && origin.hash === last.hash && system === last.system) return rollup
  const l1Head = Math.max(rollup.l1Head, origin.number)
  let l1Blocks = rollup.l1Blocks.set(origin.number, {
    ...origin,
    deposits: included ?? (origin.hash === last.hash ? last.deposits : []),
    system,
  })
  // A reorganisation has left later ones.
  for (let number = origin.number + 1; changes !== undefined && number <= rollup.l1Head; number++) {
    const later = l1Blocks.get(number)
    if (later) l1Blocks = l1Blocks.set(number, { ...later, system: withChanges(later.system) })
  }
  return {
    ...rollup,
    l1Blocks,
    l1Head,
    waiting: included === undefined ? rollup.waiting : waitingAfter(rollup, included, l1Head),
    system: changes === undefined ? rollup.system : withChanges(rollup.system),
    gasLimit: changes?.gasLimit === undefined ? rollup.gasLimit : undefined,
  }
}

export interface ImportMarks {
  readonly safe: number | undefined
  readonly finalized: number | undefined
}

function withHead(state: states.NodeState, block: SealedBlock): states.NodeState {
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

/** Refuses a block beyond the end of the clock, which follows the blocks. */
function checkTime({ header: { number, timestamp } }: DecodedBlock): void {
  const most = states.LATEST_TIME_MS / 1000
  if (timestamp <= most) return
  const expected = `at most ${most}, where the clock ends`
  throw failure('invalidBlock', { number, check: 'timestamp', expected, got: `${timestamp}` })
}

function refuseMarks(expected: string, given: number): never {
  throw failure('invalidCall', { call: 'importBlocks', reason: `expected ${expected}, got ${given}` })
}

function withMarks(state: states.NodeState, { safe, finalized }: ImportMarks): states.NodeState {
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
  if (isMarking && marks.finalized !== undefined && marks.finalized > safeNumber)
    refuseMarks(`finalized to be at most ${safeNumber}, the safe block`, marks.finalized)
  return marked
}

/**
 * Executes blocks one after another on the head and checks everything in their headers. An invalid block is refused
 * with the check that failed, and no block is imported.
 */
export async function importBlocks(start: states.NodeState, rlp: Uint8Array, marks: ImportMarks) {
  if (start.chain.open !== undefined) throw failure('blockBegun')
  const steps = new Steps(start)
  for (const decoded of decodeBlocks(rlp)) {
    checkTime(decoded)
    const { state: before } = steps
    const { chain } = before
    const context = {
      schedule: states.scheduleIn(start),
      executionUnder: (rules: Parameters<typeof states.executionContext>[1]) =>
        states.executionContext(before, rules),
      chain,
    }
    const block = await importBlock(context, chain.head, decoded)
    const rollup = before.rollup && (await withImportedOrigin(before.rollup, block, chain.head))
    const state = { ...withHead(before, block), ...(rollup && { rollup }) }
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
export function exportBlocks({ chain }: states.NodeState): Uint8Array {
  const skipped = firstSkipped(chain.runs)
  if (skipped !== undefined) throw failure('notExportable', skipped)
  const blocks = blocksBetween(chain, chain.first + 1, chain.head.header.number)
  return concatBytes(...Array.from(blocks, encodeSealedBlock))
}
