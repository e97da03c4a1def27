// The adversary: possible events, the simplest first, and their performance. It does only what a real chain may do.

import { feesAfter } from '../../../core/chain/block/execute-block.ts'
import { blockAt } from '../../../core/chain/chain.ts'
import { environmentWith } from '../../../core/execution/evm/pooled-evm.ts'
import type { Transaction } from '../../../core/execution/transaction/transaction.ts'
import type { Candidate } from '../../../core/node/control/controls.ts'
import { isFromPool } from '../../../core/node/control/drop.ts'
import { numberOfTag } from '../../../core/node/lookup.ts'
import { blockBeingBuilt, type NodeState, nextRules, pendingWorld } from '../../../core/node/node-state.ts'
import { countPending } from '../../../core/pool/pool.ts'
import type { Hash } from '../../../core/primitives/hex.ts'
import { readAccount } from '../../../core/state/world-state.ts'
import { sum } from '../parts.ts'
import type * as scenes from './scene.ts'
import { type Stage, type StageLayer, stateOf } from './stage.ts'

/** Numbers of pooled transactions that could be in the next block, by sender. */
function pendingCounts(state: NodeState): number[] {
  const world = pendingWorld(state)
  return [...state.pool.bySender.entries()]
    .map(([sender, queue]) => countPending(queue, readAccount(world, sender).nonce))
    .filter((count) => count > 0)
}

function partialEvents(state: NodeState): scenes.PartialEvent[] {
  const counts = state.settings.sealsOnTime ? pendingCounts(state) : []
  const total = sum(counts, (count) => count)
  if (total === 0) return []
  const events = counts.flatMap((_, first) =>
    Array.from({ length: total }, (_, taken) => ({ first, take: total - taken })),
  )
  // The first is what happens without an adversary.
  return [...events.slice(1), { first: 0, take: 0 }]
}

/** The candidates of one sender first, and so many in all. */
function arrange(candidates: readonly Candidate[], { first, take }: scenes.PartialEvent): Hash[] {
  const senders = [...new Set(candidates.map(({ from }) => from))]
  const leader = senders[first % Math.max(1, senders.length)]
  const leading = candidates.filter(({ from }) => from === leader)
  const others = candidates.filter(({ from }) => from !== leader)
  return [...leading, ...others].slice(0, take).map(({ hash }) => hash)
}

async function performPartial({ chain, layer2 }: Stage, event: scenes.PartialEvent): Promise<void> {
  const { emulator } = layer2
  const { scheduler } = stateOf(layer2).controls
  await emulator.setScheduler(({ candidates }) => arrange(candidates, event))
  await chain.next()
  await emulator.setScheduler(scheduler)
}

/** The pre-confirmed transactions that came from the pool. */
function preconfirmed(state: NodeState): Transaction[] {
  return (blockBeingBuilt(state)?.executed ?? []).map(({ transaction }) => transaction).filter(isFromPool)
}

const DROPS = (['now', 'seal'] as const).flatMap((at) =>
  (['pooled', 'lost'] as const).map((fate) => ({ fate, at })),
)

async function performDrop({ layer2 }: Stage, { transaction, fate, at }: scenes.DropEvent): Promise<void> {
  const { hash } = preconfirmed(stateOf(layer2))[transaction] as Transaction
  await layer2.emulator.dropPreconfirmed(hash, { repool: fate === 'pooled', at })
}

/** The transactions of the last blocks, oldest first. */
function sealedLast({ chain }: NodeState, depth: number): Transaction[] {
  const first = chain.head.header.number - depth + 1
  return [...Array(depth).keys()]
    .flatMap((index) => blockAt(chain, first + index)?.executed ?? [])
    .map(({ transaction }) => transaction)
    .filter(isFromPool)
}

/** The transactions with those of the last sender first. */
function reordered(transactions: readonly Transaction[]): Hash[] {
  const senders = [...new Set(transactions.map(({ sender }) => sender))].reverse()
  const all = senders.flatMap((sender) => transactions.filter((each) => each.sender === sender))
  return all.map(({ hash }) => hash)
}

function reorgEvents(layer: StageLayer, floor: number, most: number): scenes.ReorgEvent[] {
  const state = stateOf(layer)
  const final = Math.max(floor, numberOfTag(state, 'finalized'))
  const deepest = Math.min(most, state.chain.head.header.number - final)
  const events: scenes.ReorgEvent[] = []
  for (let depth = 1; depth <= deepest; depth++) {
    const orphans = sealedLast(state, depth)
    // An empty block in place of an empty one is the same block.
    if (orphans.length === 0) continue
    events.push({ depth, orphans: 'pooled' }, { depth, orphans: 'lost' })
    const isOther = depth > 1 || new Set(orphans.map(({ sender }) => sender)).size > 1
    if (isOther) events.push({ depth, orphans: 'reordered' })
  }
  return events
}

async function performReorg(layer: StageLayer, { depth, orphans }: scenes.ReorgEvent): Promise<void> {
  const last = orphans === 'reordered' ? reordered(sealedLast(stateOf(layer), depth)) : []
  const blocks = Array.from({ length: depth }, (_, index) => (index === depth - 1 ? last : []))
  await layer.emulator.reorg({ depth, blocks, repool: orphans !== 'lost' })
}

function feeEvents({ settings, chain }: NodeState): scenes.FeeEvent[] {
  const hasBaseFee = (chain.head.header.baseFeePerGas ?? 0n) > 0n
  const isPossible = settings.sealsOnTime && chain.open === undefined && hasBaseFee
  return isPossible ? [1, 4, 16].map((blocks) => ({ blocks })) : []
}

async function performFeeSpike({ chain, layer2 }: Stage, { blocks }: scenes.FeeEvent): Promise<void> {
  const { emulator } = layer2
  const { scheduler } = stateOf(layer2).controls
  await emulator.setScheduler(() => [])
  try {
    for (let block = 0; block < blocks; block++) {
      const state = stateOf(layer2)
      const { rules, header } = state.chain.head
      const { blobGasUsed, gasLimit: gasUsed } = header
      const full = { rules, header: environmentWith(header, { gasUsed, blobGasUsed }) }
      const { baseFeePerGas } = feesAfter(nextRules(state), full)
      await emulator.setNextBlockBaseFee(baseFeePerGas)
      await chain.advance(state.settings.blockTimeMs)
    }
  } finally {
    await emulator.setScheduler(scheduler)
  }
}

async function performStop({ rollup, layer2 }: Stage, { blocks }: scenes.StopEvent): Promise<void> {
  const ms = blocks * stateOf(layer2).settings.blockTimeMs
  if (rollup === undefined) return layer2.emulator.increaseTime({ seconds: Math.ceil(ms / 1000) })
  await rollup.sequencer.stop()
  await rollup.advance(ms)
  await rollup.sequencer.start()
}

type PerformedKind = Exclude<scenes.AdversaryKind, 'lateAnswers'>

const KINDS: {
  readonly [Name in PerformedKind]: {
    readonly possible: (stage: Stage, reorgDepth: number) => scenes.Events[Name][]
    readonly perform: (stage: Stage, event: scenes.Events[Name]) => Promise<void>
  }
} = {
  partials: { possible: ({ layer2 }) => partialEvents(stateOf(layer2)), perform: performPartial },
  drops: {
    possible: ({ layer2 }) =>
      preconfirmed(stateOf(layer2)).flatMap((_, transaction) =>
        DROPS.map((end) => ({ transaction, ...end })),
      ),
    perform: performDrop,
  },
  reorgs: {
    possible({ rollup, layer2, floors }, most) {
      // Below the safe block, one of a layer 2 follows from the layer 1.
      const safe = rollup === undefined ? 0 : numberOfTag(stateOf(layer2), 'safe')
      return reorgEvents(layer2, Math.max(floors.layer2, safe), most)
    },
    perform: ({ layer2 }, event) => performReorg(layer2, event),
  },
  feeSpikes: { possible: ({ layer2 }) => feeEvents(stateOf(layer2)), perform: performFeeSpike },
  sequencerStops: {
    possible: ({ layer2 }) =>
      stateOf(layer2).settings.sealsOnTime ? [1, 5, 30].map((blocks) => ({ blocks })) : [],
    perform: performStop,
  },
  l1Reorgs: {
    possible: ({ rollup, layers, floors }, most) =>
      rollup === undefined ? [] : reorgEvents(layers[0] as StageLayer, floors.layer1, most),
    perform: ({ layers }, event) => performReorg(layers[0] as StageLayer, event),
  },
}

/** The events of a kind that are possible now, the simplest first. */
export function possibleEvents(stage: Stage, kind: scenes.AdversaryKind, reorgDepth: number) {
  if (kind !== 'lateAnswers') return KINDS[kind].possible(stage, reorgDepth)
  const { blockTimeMs, partialBlockTimeMs } = stateOf(stage.layer2).settings
  const answers = [partialBlockTimeMs, 2 * blockTimeMs, 'answerLost', 'requestLost'] as const
  return [0, 1, 2].flatMap((after) => answers.map((answer) => ({ after, answer })))
}

/** Performs an event, but for `lateAnswers`, which concerns a coming request. */
export function performEvent<Name extends PerformedKind>(
  stage: Stage,
  kind: Name,
  event: scenes.Events[Name],
) {
  return KINDS[kind].perform(stage, event)
}

/** Makes a coming request late; resolves to what ends that, and then to the event that is left if no request was late. */
export async function beginLateness({ layer2 }: Stage, event: scenes.LateEvent) {
  const { after, answer } = event
  const effect =
    typeof answer === 'number'
      ? { delayMs: answer }
      : { lost: answer === 'answerLost' ? ('answer' as const) : ('request' as const) }
  const fault = await layer2.emulator.fault({ method: '*', after, times: 1, ...effect })
  const added = stateOf(layer2).controls.faultsAdded
  return async (): Promise<scenes.LateEvent | undefined> => {
    const armed = stateOf(layer2).controls.faults.find(({ id }) => id === added)
    await fault.clear()
    return armed?.fired === 0 ? { after: after - armed.met, answer } : undefined
  }
}
