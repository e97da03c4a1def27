// Failures as an error: what broke, the calls, the trace of the last, and the story for a file.

import { encodeAbi } from '../../primitives/encode-abi.ts'
import { failure as failureOf, type TickchainError } from '../../primitives/errors.ts'
import type { Address } from '../../primitives/hex.ts'
import { textOf } from '../../primitives/text-of.ts'
import { namesIn } from '../../rpc/account-names.ts'
import { traceRun } from '../../rpc/call-trace.ts'
import { readContext } from '../../rpc/session.ts'
import { addContracts } from '../../solidity/artifacts/add-contracts.ts'
import { formatTrace } from '../../solidity/calls/format-trace.ts'
import { withMissesLoaded } from '../../state/miss.ts'
import { type Call, callsOf } from './call.ts'
import type { Broken } from './checks.ts'
import type { Moment } from './machine.ts'
import type { ContractsPlan } from './options.ts'
import type { Played } from './play.ts'
import type { Stage } from './prepare.ts'
import type { Explorer, Failure } from './run.ts'
import { shrink } from './shrink.ts'
import { describeCall, nameOfCalls, writeCalls } from './story.ts'

interface Message {
  readonly from: Address
  readonly to: Address
  readonly value: bigint
  readonly input: Uint8Array
}

/** The trace of a message, with the contracts that the scene knows. */
async function traceOf(stage: Stage, moment: Moment, message: Message): Promise<string> {
  const { scene, session, execution, known } = stage
  const abis = scene.contracts.map(({ abi }) => abi)
  const labels = new Map([
    ...scene.contracts.map(({ name, address }) => [address, name] as const),
    ...known.labels,
  ])
  const contracts = addContracts(known.contracts, abis).index
  const context = readContext(session, session.node.state)
  const { state, environment } = moment
  const rules = execution.evmPool.rules
  const gasLimit = environment.gasLimit < 30_000_000n ? environment.gasLimit : 30_000_000n
  const free = { gasPrice: 0n, feeCap: 0n, maxFeePerBlobGas: 0n }
  const lists = { accessList: [], authorizationList: [], blobVersionedHashes: [] }
  const call = {
    site: { rules, environment, state, execution },
    environment,
    message: { ...message, gasLimit, ...free, ...lists },
  }
  const trace = await withMissesLoaded(() => traceRun(context, { ...known, contracts, labels }, call))
  return formatTrace(trace)
}

/** The trace of the last call, and of the function that says that something does not hold. */
async function tracesOf(stage: Stage, broken: Broken, { calls, before, after }: Played): Promise<string[]> {
  const lines: string[] = []
  const last = calls.at(-1)
  if (last !== undefined) {
    const { action, sender, args, value, wait } = last
    const message = { from: sender, to: action.address, value }
    const moment = wait === 0 ? before : stage.machine.later(before, wait)
    const input = encodeAbi(action.types, args, action.selector)
    lines.push('', 'The last call:', await traceOf(stage, moment, { ...message, input }))
  }
  const checked = stage.scene.checked.find(({ name }) => name === broken.name)
  if (checked !== undefined) {
    const { from, address, selector } = checked
    const message = { from, to: address, value: 0n, input: selector }
    lines.push('', `${checked.name}:`, await traceOf(stage, after, message))
  }
  return lines
}

function linesOf(stage: Stage, calls: readonly Call[]): string[] {
  const { session, known } = stage
  const name = namesIn(readContext(session, session.node.state), known)
  return calls.map((call) => `▸ ${describeCall(call, (address) => name(address) ?? address)}`)
}

/** A failure in words. */
interface Told {
  readonly broken: Broken
  readonly story: string
  readonly text: string
}

/** Tells what came of calls, and saves them. */
export async function tellPlayed(
  stage: Stage,
  broken: Broken,
  played: Played,
  origin: string,
  save: ContractsPlan['save'],
): Promise<Told> {
  const { calls } = played
  const story = writeCalls(broken, calls)
  const notices: string[] = []
  try {
    await save?.(story, nameOfCalls(broken, story))
  } catch (error) {
    notices.push(`save threw: ${error instanceof Error ? error.message : textOf(error)}`)
  }
  const count = `${calls.length} call${calls.length === 1 ? '' : 's'}`
  const lines = [...linesOf(stage, calls), ...(await tracesOf(stage, broken, played))]
  const text = `\n\nAfter ${count}${origin}:\n\n${[...lines, '', ...notices, `The story: ${story}`].join('\n')}`
  return { broken, story, text }
}

/** The error of one told failure. */
export function errorOf({ broken, story, text }: Told): TickchainError {
  const { kind, name, reason, error } = broken
  const told = failureOf(kind, { name, reason, story: text })
  return Object.assign(told, { story }, error === undefined ? {} : { cause: error })
}

async function tellFailure(
  stage: Stage,
  { checks, machine, seed }: Explorer,
  { shrinks, runs, save }: ContractsPlan,
  { broken, path, run }: Failure,
): Promise<Told> {
  const { root, scene } = stage
  const playable = { machine, checks, root, senders: scene.senders }
  const played = await shrink(playable, callsOf(path), broken.key, shrinks)
  const origin = path.length === 0 ? '' : ` (run ${run + 1} of ${runs}, seed ${seed})`
  return tellPlayed(stage, played.broken ?? broken, played, origin, save)
}

/** The error of failures, which are shrunk and saved: the first, and those that come after it. */
export async function tellFailures(
  stage: Stage,
  explorer: Explorer,
  plan: ContractsPlan,
  failures: readonly Failure[],
): Promise<TickchainError> {
  const told: Told[] = []
  for (const each of failures) told.push(await tellFailure(stage, explorer, plan, each))
  const [first, ...rest] = told as [Told, ...Told[]]
  const others = rest.map((each) => `\n\n${errorOf(each).message}`).join('')
  const error = errorOf({ ...first, text: first.text + others })
  return Object.assign(error, { stories: told.map(({ story }) => story) })
}
