// The forks that cheatcodes open.

import { internalsOf } from '../../../core/emulator/internals.ts'
import type { ForkOptions } from '../../../core/emulator/options/fork.ts'
import type { Fork } from '../../../core/fork/fork.ts'
import { isSilence, refusalCode, revertedWith, type Upstream } from '../../../core/fork/upstream.ts'
import { keccak256Hex } from '../../../core/primitives/crypto.ts'
import type { TickchainError } from '../../../core/primitives/errors.ts'
import * as hex from '../../../core/primitives/hex.ts'
import { textOf } from '../../../core/primitives/text-of.ts'
import { callSiteIn } from '../../../core/rpc/requests/call-message.ts'
import { readContext } from '../../../core/rpc/session.ts'
import { withMissesLoaded } from '../../../core/state/overlay-map.ts'
import { refuseWith } from '../../cheatcodes/errors.ts'
import type { OpenedFork } from '../../cheatcodes/setting.ts'
import { createEmulator } from '../../solidity/create-emulator.ts'
import type { TestFork, TestForks } from './options.ts'

/** An error of a node in forge's words. */
function answerError(method: string, error: Error): string {
  const code = refusalCode(error)
  const { message, data } = (code === undefined ? error : error.cause) as Error & { readonly data?: unknown }
  const words =
    code === undefined ? message : `server returned an error response: error code ${code}: ${message}`
  return `"${method}": ${words}${data === undefined ? '' : `, data: ${JSON.stringify(data)}`}`
}

function refusingRevert(method: string, answer: unknown): unknown {
  const data = revertedWith(answer)
  if (data === undefined) return answer
  const words = 'server returned an error response: error code 3: execution reverted'
  refuseWith(`"${method}": ${words}, data: "${data}"`)
}

async function openAt(fork: ForkOptions): Promise<OpenedFork> {
  const emulator = await createEmulator({ fork, accounts: [] })
  const { session } = internalsOf('runSolidityTests', emulator)
  // Before a transaction, it is in the transaction's block.
  const head = hex.isHexBytes(fork.block, 32) ? 'pending' : 'latest'
  const { execution, state, environment } = callSiteIn(readContext(session, session.node.state), head)
  // In forge, blocks that the fork does not have have the hash of nothing.
  const hashOf = (number: number) => execution.blockHashOf(number) ?? keccak256Hex(hex.EMPTY_BYTES)
  const { answer } = session.node.state.chain.fork as Fork
  const ask = (method: string, params: readonly unknown[]) =>
    Promise.resolve(withMissesLoaded(() => answer(method, params))).then(
      (answered) => refusingRevert(method, answered),
      (error) => refuseWith(answerError(method, error)),
    )
  return { state, environment, chainId: BigInt(emulator.settings.chainId), blockHashOf: hashOf, ask }
}

/** The options of a fork at a block. A recording is of one block, so that each block has a file of its own. */
function forkAt(
  { upstream, recording, ...rest }: TestFork,
  at: bigint | hex.Hash | undefined,
  connect: ((url: string) => Upstream) | undefined,
): ForkOptions {
  const asked = typeof upstream === 'string' ? (connect?.(upstream) ?? upstream) : upstream
  const isPath = typeof recording === 'string' && at !== undefined
  const kept = isPath ? recording.replace(/(\.\w+)?$/, (end) => `-${at}${end}`) : recording
  const given = Object.entries({ upstream: asked, recording: kept, block: at })
  return { ...rest, ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) }
}

/** Words of forge for a fork that cannot be opened, if it has some. */
async function openError(
  { upstream }: ForkOptions,
  url: unknown,
  at: bigint | hex.Hash | undefined,
  error: Error,
): Promise<string> {
  const reason = textOf(error.message)
  if (isSilence(error) && typeof url === 'string')
    return `could not instantiate forked environment with provider ${/\/\/([^:/]*)/.exec(url)?.[1]}; ${reason}`
  if ((error as Partial<TickchainError>).kind !== 'forkBlockNotFound') return reason
  if (typeof at === 'string') return `failed to get transaction ${at}: could not get transaction ${at}`
  const last = await upstream?.request({ method: 'eth_blockNumber', params: [] }).catch(() => undefined)
  if (typeof last !== 'string') return reason
  return `failed to get block number: ${at}; latest block number: ${BigInt(last)}`
}

/** Opens forks; each block once, so that an execution that is repeated finds the same. */
export function forkOpener(
  forks: TestForks,
  endpoints: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>>,
  connect: ((url: string) => Upstream) | undefined,
) {
  const urlOf = (alias: string) =>
    endpoints[alias]?.replace(/\$\{(\w+)\}/g, (whole, name) => variables[name] ?? whole)
  const opened = new Map<string, Promise<OpenedFork>>()
  return (name: string, at: bigint | hex.Hash | undefined): Promise<OpenedFork> | undefined => {
    const alias = Object.keys(endpoints).find((each) => urlOf(each) === name)
    const given = forks[name] ?? (alias === undefined ? undefined : forks[alias])
    if (given === undefined) return undefined
    const key = `${name} ${at}`
    const known = opened.get(key)
    if (known !== undefined) return known
    const options = forkAt(given, at, connect)
    const fork = openAt(options).catch(async (error: Error) => {
      return refuseWith(await openError(options, given.upstream, at, error))
    })
    opened.set(key, fork)
    return fork
  }
}
