// The forks that cheatcodes open.

import { internalsOf } from '../../../core/emulator/internals.ts'
import type { ForkOptions } from '../../../core/emulator/options/fork.ts'
import type { Upstream } from '../../../core/fork/upstream.ts'
import { keccak256Hex } from '../../../core/primitives/crypto.ts'
import * as hex from '../../../core/primitives/hex.ts'
import { textOf } from '../../../core/primitives/text-of.ts'
import { callSiteIn } from '../../../core/rpc/requests/call-message.ts'
import { readContext } from '../../../core/rpc/session.ts'
import { CheatcodeRefusal } from '../../cheatcodes/errors.ts'
import type { OpenedFork } from '../../cheatcodes/setting.ts'
import { createEmulator } from '../../solidity/create-emulator.ts'
import type { TestFork, TestForks } from './options.ts'

async function openAt(fork: ForkOptions): Promise<OpenedFork> {
  const emulator = await createEmulator({ fork, accounts: [] })
  const { session } = internalsOf('runSolidityTests', emulator)
  // Before a transaction, it is in the transaction's block.
  const head = hex.isHexBytes(fork.block, 32) ? 'pending' : 'latest'
  const { execution, state, environment } = callSiteIn(readContext(session, session.node.state), head)
  // In forge, blocks that the fork does not have have the hash of nothing.
  const hashOf = (number: number) => execution.blockHashOf(number) ?? keccak256Hex(hex.EMPTY_BYTES)
  return { state, environment, chainId: BigInt(emulator.settings.chainId), blockHashOf: hashOf }
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
    const refuse = (error: Error): never => {
      throw new CheatcodeRefusal(textOf(error.message))
    }
    const fork = opened.get(key) ?? openAt(forkAt(given, at, connect)).catch(refuse)
    opened.set(key, fork)
    return fork
  }
}
