// Failures in words: what broke, the calls, the trace of the last, and the story for a file.

import { CHEATCODES, cheatcodeAbi } from '../../../core/execution/call/cover-calls.ts'
import { encodeAbi } from '../../../core/primitives/encode-abi.ts'
import type { Address } from '../../../core/primitives/hex.ts'
import { readContext } from '../../../core/rpc/session.ts'
import { withMissesLoaded } from '../../../core/state/miss.ts'
import { readContracts } from '../../solidity/artifacts/read-contracts.ts'
import { namesIn } from '../../solidity/calls/accounts.ts'
import { formatTrace } from '../../solidity/calls/format-trace.ts'
import { traceWith } from '../../solidity/explainer.ts'
import { contractIndexOf, withContracts } from '../../solidity/model/contract-index.ts'
import type { ToldFailure } from '../parts.ts'
import type { Call } from './call.ts'
import type { Broken } from './checks.ts'
import { gasLimitOf, type Moment } from './machine.ts'
import type { Played } from './play.ts'
import type { Stage } from './prepare.ts'
import { describeCall, writeCalls } from './story.ts'

interface Message {
  readonly from: Address
  readonly to: Address
  readonly value: bigint
  readonly input: Uint8Array
}

/** The trace of a message, with the contracts that the scene knows. */
async function traceOf(stage: Stage, moment: Moment, message: Message): Promise<string> {
  const { scene, session, execution, known, machine } = stage
  const abis = [...scene.contracts.map(({ abi }) => abi), ...(stage.hasCheatcodes ? [cheatcodeAbi()] : [])]
  const labels = new Map([
    [CHEATCODES, 'VM'] as const,
    ...scene.contracts.map(({ name, address }) => [address, name] as const),
    ...known.labels,
  ])
  const contracts = withContracts(contractIndexOf(known), readContracts(abis))
  const context = { ...readContext(session, session.node.state), known: { ...known, contracts, labels } }
  const { state, environment } = moment
  const trace = await withMissesLoaded(() =>
    traceWith(context, state, execution.evmPool.rules, gasLimitOf(environment), async (observer) => {
      const { result } = await machine.observe(moment, message, observer)
      return result
    }),
  )
  return formatTrace(trace)
}

/** The trace of the last call, and of the function that says that something does not hold. */
async function tracesOf(
  stage: Stage,
  broken: Pick<Broken, 'name'>,
  { calls, before, after }: Played,
): Promise<string[]> {
  const lines: string[] = []
  const last = calls.at(-1)
  if (last !== undefined) {
    const { action, sender, args, value, wait } = last
    const message = { from: sender, to: action.address, value }
    const moment = wait === 0 ? before : stage.machine.later(before, wait)
    const input = encodeAbi(action.types, args, action.selector)
    lines.push('', 'The last call:', await traceOf(stage, moment, { ...message, input }))
  }
  const { checked: all, ending } = stage.scene
  const checked = [...all, ...(ending === undefined ? [] : [ending])].find(({ name }) => name === broken.name)
  if (checked !== undefined) {
    const { from, address, selector } = checked
    const message = { from, to: address, value: 0n, input: selector }
    lines.push('', `${checked.name}:`, await traceOf(stage, after, message))
  }
  return lines
}

function linesOf(stage: Stage, calls: readonly Call[]): string[] {
  const { session, known } = stage
  const name = namesIn({ ...readContext(session, session.node.state), known })
  return calls.map((call) => `▸ ${describeCall(call, (address) => name(address) ?? address)}`)
}

function textOfCalls(count: number, origin: string, lines: readonly string[], story: string): string {
  const calls = `${count} call${count === 1 ? '' : 's'}`
  return `\n\nAfter ${calls}${origin}:\n\n${[...lines, `The story: ${story}`].join('\n')}`
}

/** A failure as it was found: neither made simpler, nor performed again, nor saved. */
export function sketchCalls(
  stage: Stage,
  { kind, name, reason }: Broken,
  calls: readonly Call[],
  origin: string,
): Omit<ToldFailure, 'at'> {
  const story = writeCalls({ kind, name }, calls)
  const told = textOfCalls(calls.length, origin, [...linesOf(stage, calls), ''], story)
  return { kind, name, reason, story, told }
}

/** What came of calls, with the trace of the last. */
export async function tellPlayed(
  stage: Stage,
  { kind, name, reason }: Broken,
  played: Played,
  origin: string,
): Promise<Omit<ToldFailure, 'at'>> {
  const { calls } = played
  const story = writeCalls({ kind, name }, calls)
  const lines = [...linesOf(stage, calls), ...(await tracesOf(stage, { name }, played)), '']
  return { kind, name, reason, story, told: textOfCalls(calls.length, origin, lines, story) }
}
