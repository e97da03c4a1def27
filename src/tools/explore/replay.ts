// Replay of saved stories, of applications and of contracts.

import type { Emulator } from '../../core/emulator/api.ts'
import { failure } from '../../core/primitives/errors.ts'
import { textOf } from '../../core/primitives/text-of.ts'
import { replayApplication } from './applications/explore.ts'
import type { ReplayReport, Scene } from './applications/scene.ts'
import type { Explorable } from './applications/stage.ts'
import { replayContracts } from './contracts/explore-contracts.ts'
import type { ContractsScene } from './contracts/options.ts'
import { keepingStrays } from './strays.ts'

/** An application or contracts, whose story is replayed. */
export type Replayable<Chain extends Explorable, World, Values extends Record<string, unknown>> =
  | Scene<Chain, World, Values>
  | ContractsScene

/** A story as its JSON is, whatever was given; throws `invalidStory`. */
function parse(story: unknown): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(typeof story === 'string' ? story : JSON.stringify(story)) ?? {}
  } catch (error) {
    throw failure('invalidStory', { reason: `it is no JSON: ${textOf(error)}` })
  }
}

/**
 * Performs a story that `explore`, `exploreAll` or `exploreContracts` has saved, on a clone of the chain. Steps that
 * cannot happen any more, and calls that fail now, are left out, and reported.
 *
 * @param chain An emulator or a pair, set up as it was.
 * @param scene The application or the contracts; the options with which they were explored will do.
 * @param story The text of the file, or its parsed JSON.
 * @throws TickchainError `invariantBroken`, `assertionFailed`, `actionThrew` or `storyHung` if it still fails;
 *   `invalidStory` for a story of another version or set-up; `invalidOption`, `invalidCall`, `coverageUnavailable`
 * @see docs/explore.md
 * @example
 * const scene = { run: { pay: () => {} }, invariants: { broken: () => chain.now < 0 } }
 * const options = { ...scene, actions: { pay: fc.record({}) } }
 * const { story } = await explore(chain, options).catch((error) => error)
 * await replay(chain, { ...scene, invariants: {} }, story) // => { steps: 0, impossible: [] }
 */
export async function replay<
  Chain extends Explorable,
  Values extends Record<string, unknown>,
  World = { readonly chain: Chain },
>(chain: Chain, scene: Replayable<Chain, World, Values>, story: string | object): Promise<ReplayReport> {
  const isOfContracts =
    typeof scene === 'object' && scene !== null && ('contracts' in scene || 'test' in scene)
  return keepingStrays(async () =>
    isOfContracts
      ? replayContracts(chain as Emulator, scene as ContractsScene, parse(story))
      : replayApplication(chain, scene as Scene<Chain, World, Values>, parse(story)),
  )
}
