// A failed story as an error: what broke, the steps with the timeline of the chain, the trace of the last step, and the
// story for a file.

import { internalsOf } from '../../../core/emulator/internals.ts'
import type { NodeEvent } from '../../../core/node/events.ts'
import { TickchainError } from '../../../core/primitives/errors.ts'
import type { Hash } from '../../../core/primitives/hex.ts'
import { withoutColors } from '../../../core/primitives/terminal.ts'
import { textOf } from '../../../core/primitives/text-of.ts'
import { formatTrace } from '../../solidity/calls/format-trace.ts'
import { watchFailures } from '../../testing/failure-trace.ts'
import { recordPart } from '../../testing/timeline.ts'
import { within } from '../limit.ts'
import type { ToldFailure } from '../loop.ts'
import type { SaveOptions } from '../part-options.ts'
import { saveFailure } from '../parts.ts'
import { createPlayer, type Failure, isSameFailure, type Player, play } from './player.ts'
import type { AnyScene, Step } from './scene.ts'
import type { Stage, StageLayer } from './stage.ts'
import { describeStep, nameOf, writeStory } from './story.ts'

/** A story that failed, and where it was found. */
export interface FailedStory {
  readonly failure: Failure
  readonly steps: readonly Step[]
  /** Its place in the order in which failures are found. */
  readonly at: readonly number[]
  /** Words on how it was found, such as the seed. */
  readonly origin: string
}

export interface Telling {
  readonly save: SaveOptions['save'] | undefined
  readonly scene: AnyScene
  readonly root: Stage
  readonly reorgDepth: number
  readonly limitMs: number
}

const MOST_LINES = 30
const MOST_TRACES = 3

function reasonOf(error: unknown): string {
  // Messages of expectations may be coloured.
  return withoutColors(error instanceof Error ? `${error.message}` : textOf(error))
}

/** Records the layers of a run while a step is performed. */
function recordStep(layers: readonly StageLayer[], originMs: number) {
  const hashes: Hash[] = []
  const take = (event: NodeEvent): void => {
    if (event.type !== 'partialBlock') return
    for (const { transaction } of event.partial.executed) hashes.push(transaction.hash)
  }
  const parts = layers.map(({ name, emulator }) => ({
    name,
    emulator,
    read: recordPart(emulator, originMs, MOST_LINES),
  }))
  for (const { emulator } of parts) internalsOf('explore', emulator).watchers.add(take)
  return () => {
    for (const { emulator } of parts) internalsOf('explore', emulator).watchers.delete(take)
    const lines = parts.flatMap(({ name, read }) =>
      read().map((line) => `${name === '' ? '' : `${name} `}${line}`),
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
    value: { failure: undefined, lines: [...names, reasonOf(error)] },
  }))
  if (isSameFailure(failure, retold?.value.failure)) return retold?.value.lines ?? names
  const notice =
    'Performed again, the same steps did not fail: something does not follow from the chain and the steps, such as ' +
    'a timer, chance, or state that runs share.'
  return [...names, notice]
}

function reportOf(
  { scene, root }: Telling,
  { failure: { kind, name, error }, steps, origin }: FailedStory,
  lines: readonly string[],
): ToldFailure {
  let story: string | undefined
  let notice: string
  try {
    story = writeStory(scene, root, { kind, name }, steps)
    notice = `The story: ${story}`
  } catch (thrown) {
    if (!(thrown instanceof TickchainError)) throw thrown
    notice = `The story is not saved: ${thrown.message}`
  }
  const count = `${steps.length} step${steps.length === 1 ? '' : 's'}`
  const told = `\n\nAfter ${count}${origin}:\n\n${[...lines, '', notice].join('\n')}`
  return { kind, name, reason: reasonOf(error), told, ...(story !== undefined && { story }) }
}

function namesOf(steps: readonly Step[]): string[] {
  return steps.map((step) => `▸ ${describeStep(step)}`)
}

/** A failed story as it was found: neither shrunk, nor performed again, nor saved. */
export function sketchFailure(telling: Telling, failed: FailedStory): ToldFailure {
  return reportOf(telling, failed, namesOf(failed.steps))
}

/** A failed story with what happened in it, which is saved. */
export async function tellFailure(telling: Telling, failed: FailedStory): Promise<ToldFailure> {
  return saveFailure(telling.save, reportOf(telling, failed, await linesOf(telling, failed)), nameOf)
}
