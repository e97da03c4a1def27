// Failures in words: what broke, the calls, the trace of the last, and the story for a file.

import { CHEATCODES } from '../../../core/execution/evm/pooled-evm.ts'
import { encodeAbi } from '../../../core/primitives/encode-abi.ts'
import { readContext } from '../../../core/rpc/session.ts'
import { withMissesLoaded } from '../../../core/state/miss.ts'
import { cheatcodeAbi } from '../../cheatcodes/table.ts'
import { readContracts } from '../../solidity/artifacts/read-contracts.ts'
import { namesIn } from '../../solidity/calls/accounts.ts'
import { formatTrace } from '../../solidity/calls/format-trace.ts'
import { traceWith } from '../../solidity/explainer.ts'
import { contractIndexOf, withContracts } from '../../solidity/model/contract-index.ts'
import type { ReportedFailure } from '../parts.ts'
import type { Call, Position } from './call.ts'
import type { BrokenCheck } from './checks.ts'
import type { Played } from './play.ts'
import type { PreparedContracts } from './prepare.ts'
import { describeCall, storyOf, writeCall } from './story.ts'

type TracedStage = Pick<
  PreparedContracts,
  'session' | 'execution' | 'known' | 'machine' | 'hasCheatcodes'
> & {
  readonly scene: Pick<PreparedContracts['scene'], 'contracts'>
}

/** The trace of a message, with the contracts that the scene knows. */
export async function traceOfMessage(
  stage: TracedStage,
  position: Position,
  message: Parameters<PreparedContracts['machine']['observe']>[1],
): Promise<string> {
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
  const trace = await withMissesLoaded(() =>
    traceWith(context, state, execution.evmPool.rules, machine.gasLimitAt(position), async (observer) => {
      const { result } = await machine.observe(position, message, observer)
      return result
    }),
  )
  return formatTrace(trace)
}

/** The trace of the last call, and of the function that says that something does not hold. */
async function tracesOf(
  stage: PreparedContracts,
  broken: Pick<BrokenCheck, 'name'>,
  { calls, before, after }: Played,
): Promise<string[]> {
  const lines: string[] = []
  const last = calls.at(-1)
  if (last !== undefined) {
    const { action, sender, args, value, wait } = last
    const position = wait === 0 ? before : stage.machine.later(before, wait)
    const input = encodeAbi(action.types, args, action.selector)
    const message = { from: sender, to: action.address, value, input }
    lines.push('', 'The last call:', await traceOfMessage(stage, position, message))
  }
  const { checked: all, ending } = stage.scene
  const checked = [...all, ending].find((each) => each?.name === broken.name)
  if (checked !== undefined) {
    const { from, address, selector } = checked
    const message = { from, to: address, value: 0n, input: selector }
    lines.push('', `${checked.name}:`, await traceOfMessage(stage, after, message))
  }
  return lines
}

function linesOf(stage: PreparedContracts, calls: readonly Call[]): string[] {
  const { session, known } = stage
  const name = namesIn({ ...readContext(session, session.node.state), known })
  return calls.map((call) => `▸ ${describeCall(call, (address) => name(address) ?? address)}`)
}

function reportOf(
  { kind, name, reason }: BrokenCheck,
  calls: readonly Call[],
  origin: string,
  lines: readonly string[],
): Omit<ReportedFailure, 'at'> {
  const story = storyOf({ kind, name }, calls.map(writeCall))
  const count = `${calls.length} call${calls.length === 1 ? '' : 's'}`
  const told = `\n\nAfter ${count}${origin}:\n\n${[...lines, '', `The story: ${story}`].join('\n')}`
  return { kind, name, reason, story, told }
}

/** A failure as it was found: neither made simpler, nor performed again, nor saved. */
export function sketchCalls(
  stage: PreparedContracts,
  broken: BrokenCheck,
  calls: readonly Call[],
  origin: string,
): Omit<ReportedFailure, 'at'> {
  return reportOf(broken, calls, origin, linesOf(stage, calls))
}

/** A failure with the trace of the last call. */
export async function tellPlayed(
  stage: PreparedContracts,
  broken: BrokenCheck,
  played: Played,
  origin: string,
): Promise<Omit<ReportedFailure, 'at'>> {
  const { calls } = played
  const lines = [...linesOf(stage, calls), ...(await tracesOf(stage, broken, played))]
  return reportOf(broken, calls, origin, lines)
}
