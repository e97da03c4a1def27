// Forks that tests create by cheatcodes: of what the options give for an alias or a URL.

import { internalsOf } from '../../../core/emulator/internals.ts'
import type { ForkOptions } from '../../../core/emulator/options/fork.ts'
import { requireBlock } from '../../../core/node/lookup.ts'
import type { Hash } from '../../../core/primitives/hex.ts'
import { textOf } from '../../../core/primitives/text-of.ts'
import { callSiteAt } from '../../../core/rpc/requests/call-message.ts'
import { readContext } from '../../../core/rpc/session.ts'
import { NO_STATE_OVERRIDES } from '../../../core/state/overrides.ts'
import { CheatcodeRefusal } from '../../cheatcodes/errors.ts'
import type { OpenedFork } from '../../cheatcodes/setting.ts'
import { createEmulator } from '../../solidity/create-emulator.ts'
import type { TestForks } from './options.ts'

async function openAt(fork: ForkOptions): Promise<OpenedFork> {
  const emulator = await createEmulator({ fork, accounts: [] })
  const { session } = internalsOf('runSolidityTests', emulator)
  const context = readContext(session, session.node.state)
  const head = requireBlock(context.config, context.state, 'latest')
  const { state, environment } = callSiteAt(context, head, NO_STATE_OVERRIDES, undefined)
  return { state, environment, chainId: BigInt(emulator.settings.chainId) }
}

/** Opens forks; each block once, so that an execution that is repeated finds the same. */
export function forkOpener(forks: TestForks, endpoints: Readonly<Record<string, string>>) {
  const opened = new Map<string, Promise<OpenedFork>>()
  return (name: string, at: bigint | Hash | undefined): Promise<OpenedFork> | undefined => {
    const alias = Object.keys(endpoints).find((each) => endpoints[each] === name)
    const given = forks[name] ?? (alias === undefined ? undefined : forks[alias])
    if (given === undefined) return undefined
    const key = `${name} ${at}`
    const fork =
      opened.get(key) ??
      openAt({ ...given, ...(at !== undefined && { block: at }) }).catch((error: Error) => {
        throw new CheatcodeRefusal(textOf(error.message))
      })
    opened.set(key, fork)
    return fork
  }
}
