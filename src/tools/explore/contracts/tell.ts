// Failures in words: what broke, the calls, the trace of the last, and the story for a file.

import { CHEATCODES } from '../../../core/execution/evm/pooled-evm.ts'
import { combineObservers, type Observer } from '../../../core/execution/trace/observer.ts'
import type { TracedCall } from '../../../core/rpc/call-trace.ts'
import { readContext } from '../../../core/rpc/session.ts'
import { withMissesLoaded } from '../../../core/state/overlay-map.ts'
import { cheatcodeAbi } from '../../cheatcodes/table.ts'
import { readContracts } from '../../solidity/artifacts/read-contracts.ts'
import { namesIn } from '../../solidity/calls/accounts.ts'
import { formatTrace } from '../../solidity/calls/format-trace.ts'
import { traceWith } from '../../solidity/explainer.ts'
import { contractIndexOf, withContracts } from '../../solidity/model/contract-index.ts'
import { type Failure, type SourcePlace, type ToldFailure, tellFailure } from '../failures.ts'
import { type Call, messageOfCall, type Position } from './call.ts'
import type { Played } from './play.ts'
import type { PreparedContracts } from './prepare.ts'
import type { KnownContract } from './scene.ts'
import { describeCall, storyOf, writeCall } from './story.ts'

type TracedStage = Omit<PreparedContracts, 'scene' | 'root'> & {
  readonly scene: { readonly contracts: readonly Pick<KnownContract, 'name' | 'address' | 'abi'>[] }
}

/** The places of a failure in sources that are known, innermost first. */
function placesOf({ entries, stack = [] }: TracedCall): readonly SourcePlace[] {
  const inner = entries.flatMap((entry) => (entry.type === 'call' ? placesOf(entry) : []))
  const own = stack.flatMap(({ text, excerpt }) =>
    excerpt ? [{ name: text.slice(0, text.lastIndexOf(' (')), file: excerpt.file, line: excerpt.line }] : [],
  )
  return [...inner, ...own]
}

const MOST_OPCODES = 10_000_000
/** Thrown for a message that would take minutes, as a loop that uses up its gas. */
const TOO_LONG = new Error('it executes too many opcodes for a trace')

function limited(observer: Observer): Observer {
  let left = MOST_OPCODES
  const place = (): void => {
    left--
    if (left < 0) throw TOO_LONG
  }
  return combineObservers([observer, { place }])
}

/** The trace of a message, with the contracts that the scene knows, and the places of its failure; nothing of one that is too long. */
export async function traceOfMessage(
  stage: TracedStage,
  position: Position,
  message: Parameters<PreparedContracts['machine']['observe']>[1],
) {
  const { scene, session, execution, known, machine } = stage
  const abis = [...scene.contracts.map(({ abi }) => abi), ...(stage.hasCheatcodes ? [cheatcodeAbi()] : [])]
  const labels = new Map([
    [CHEATCODES, 'VM'] as const,
    ...scene.contracts.map(({ name, address }) => [address, name] as const),
    ...known.labels,
  ])
  const contracts = withContracts(contractIndexOf(known), readContracts(abis))
  const context = { ...readContext(session, session.node.state), known: { ...known, contracts, labels } }
  const { state } = position
  const gasLimit = machine.gasLimitAt(position.environment)
  const run = async (observer: Observer) =>
    (await machine.observe(position, message, limited(observer))).result
  const traceAll = async () =>
    withMissesLoaded(() => traceWith(context, state, execution.evmPool.rules, gasLimit, run))
  const trace = await traceAll().catch((error: unknown) => {
    if (error !== TOO_LONG) throw error
  })
  if (trace === undefined) return undefined
  return { trace: formatTrace(trace), places: placesOf(trace.call) }
}

/** The trace of the last call, and of the function that says that something does not hold. */
async function tracesOf(stage: PreparedContracts, broken: Failure, { calls, before, after }: Played) {
  const lines: string[] = []
  const places: SourcePlace[] = []
  const add = async (title: string, position: Position, message: Parameters<typeof traceOfMessage>[2]) => {
    const traced = await traceOfMessage(stage, position, message)
    if (traced === undefined) return
    lines.push('', title, traced.trace)
    places.push(...traced.places)
  }
  const last = calls.at(-1)
  if (last !== undefined)
    await add('The last call:', stage.machine.later(before, last.wait), messageOfCall(last))
  const { checked: all, ending } = stage.scene
  const checked = [...all, ending].find((each) => each?.name === broken.name)
  if (checked !== undefined) {
    const { from, address, selector } = checked
    await add(`${checked.name}:`, after, { from, to: address, value: 0n, input: selector })
  }
  return { lines, places }
}

/** A failure in words; without traces as it was found, neither made simpler, nor performed again, nor saved. */
export function sketchCalls(
  stage: PreparedContracts,
  broken: Failure,
  calls: readonly Call[],
  origin: string,
  traces: readonly string[] = [],
): ToldFailure {
  const { session, known } = stage
  const name = namesIn({ ...readContext(session, session.node.state), known })
  const lines = calls.map((call) => `▸ ${describeCall(call, (address) => name(address) ?? address)}`)
  const story = storyOf(broken, calls.map(writeCall))
  return tellFailure(broken, [calls.length, 'call'], origin, [...lines, ...traces], story)
}

/** A failure with the trace of the last call. */
export async function tellPlayed(
  stage: PreparedContracts,
  broken: Failure,
  played: Played,
  origin: string,
): Promise<ToldFailure> {
  const { lines, places } = await tracesOf(stage, broken, played)
  return { ...sketchCalls(stage, broken, played.calls, origin, lines), places }
}
