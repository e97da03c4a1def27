// A failed story as an error: the steps with the timeline of the chain, the trace of the last, and the story for a file.

import { internalsOf } from '../../../core/emulator/internals.ts'
import type { NodeEvent } from '../../../core/node/events.ts'
import type { Hash } from '../../../core/primitives/hex.ts'
import { formatTrace } from '../../solidity/calls/format-trace.ts'
import { watchFailures } from '../../testing/failure-trace.ts'
import { recordPart } from '../../testing/timeline.ts'
import { type Failure, reasonFrom, saveFailure, type ToldFailure, tellFailure } from '../failures.ts'
import { within } from '../loop.ts'
import type { SaveOptions } from '../part-options.ts'
import { createPlayer, type Player, play } from './player.ts'
import type { Step } from './scene.ts'
import type { StageLayer } from './stage.ts'
import { describeStep, nameOf, type StagedScene, writeStory } from './story.ts'

export interface FailedStory {
  readonly failure: Failure
  readonly steps: readonly Step[]
  /** Its place in the order in which failures are found. */
  readonly at: readonly number[]
  /** Words on how it was found, such as the seed. */
  readonly origin: string
}

interface Telling extends StagedScene {
  readonly save: SaveOptions['save'] | undefined
  readonly reorgDepth: number
  readonly limitMs: number
}

const MOST_LINES = 30
const MOST_TRACES = 3

function recordStep(layers: readonly StageLayer[], originMs: number) {
  const hashes: Hash[] = []
  const take = (event: NodeEvent): void => {
    if (event.type !== 'partialBlock') return
    for (const { transaction } of event.partial.executed) hashes.push(transaction.hash)
  }
  const reads = layers.map(({ emulator }) => recordPart(emulator, originMs, MOST_LINES))
  const watchers = layers.map(({ emulator }) => internalsOf('explore', emulator).watchers)
  for (const each of watchers) each.add(take)
  return () => {
    for (const each of watchers) each.delete(take)
    const lines = layers.flatMap(({ name }, at) =>
      (reads[at]?.() ?? []).map((line) => `${name === '' ? '' : `${name} `}${line}`),
    )
    return { lines, hashes }
  }
}

/** The traces of what a step has executed, as far as it is still in a block. */
async function traceStep({ stage }: Player, hashes: readonly Hash[]): Promise<string[]> {
  const traces: string[] = []
  for (const hash of hashes.slice(-MOST_TRACES)) {
    for (const { emulator } of stage.layers) {
      if ((await emulator.outcome(hash)) === undefined) continue
      traces.push(formatTrace(await emulator.trace(hash)))
    }
  }
  return traces
}

/** A story performed again: its failure, and the lines of what happened. */
async function retell({ scene, root, reorgDepth }: Telling, steps: readonly Step[]) {
  const player = await createPlayer(scene, root, reorgDepth)
  const { layers, layer2 } = player.stage
  const originMs = layer2.emulator.now
  const failures = layers.map(({ emulator }) => watchFailures(emulator))
  const lines: string[] = []
  let last: ReturnType<ReturnType<typeof recordStep>> | undefined
  const recorded: Player = {
    ...player,
    async perform(step) {
      const read = recordStep(layers, originMs)
      const outcome = await player.perform(step)
      last = read()
      lines.push(`▸ ${describeStep(step as Step)}`, ...last.lines.map((line) => `  ${line}`))
      return outcome
    },
  }
  const failure = await play(recorded, steps)
  const quoted = failure?.error instanceof Error ? [failure.error] : []
  const described = await Promise.all(failures.map((watch) => watch.describe(quoted)))
  const traces = await traceStep(player, last?.hashes ?? [])
  const told = traces.length > 0 ? traces : described.flatMap((text) => text ?? [])
  return { failure, lines: told.length === 0 ? lines : [...lines, '', 'The last step:', ...told] }
}

/** The steps with what happened in each; only their names if they cannot be performed again. */
async function linesOf(telling: Telling, { failure, steps }: FailedStory): Promise<readonly string[]> {
  const names = namesOf(steps)
  if (failure.kind === 'storyHung') return names
  const retold = await within(telling.limitMs, () => retell(telling, steps)).catch((error: unknown) => ({
    value: { failure: undefined, lines: [...names, reasonFrom(error)] },
  }))
  if (retold?.value.failure?.key === failure.key) return retold.value.lines
  const notice =
    'Performed again, the same steps did not fail: something does not follow from the chain and the steps, such as ' +
    'a timer, chance, or state that runs share.'
  return [...names, notice]
}

function namesOf(steps: readonly Step[]): string[] {
  return steps.map((step) => `▸ ${describeStep(step)}`)
}

/** A failed story as it was found: neither shrunk, nor performed again, nor saved. */
export function sketchStory(
  telling: Telling,
  { failure, steps, origin }: FailedStory,
  lines: readonly string[] = namesOf(steps),
): ToldFailure {
  const story = writeStory(telling, failure, steps)
  return tellFailure(failure, [steps.length, 'step'], origin, lines, story)
}

export async function tellStory(telling: Telling, failed: FailedStory): Promise<ToldFailure> {
  return saveFailure(telling.save, sketchStory(telling, failed, await linesOf(telling, failed)), nameOf)
}
