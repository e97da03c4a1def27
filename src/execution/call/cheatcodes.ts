// Foundry's cheatcodes, for handlers of invariant tests: calls to an address change the sender, the time and balances
// from inside an execution. They work on EVMs of exploring alone.

import type { ExecResult } from '@ethereumjs/evm'
import type { Covering } from '../../interpreter/covering.ts'
import type { WasmEvm } from '../../interpreter/evm.ts'
import type { Message } from '../../interpreter/message.ts'
import { decodeAbi } from '../../primitives/abi.ts'
import { elementaryType } from '../../primitives/abi-type.ts'
import { encodeAbi } from '../../primitives/encode-abi.ts'
import { failure } from '../../primitives/errors.ts'
import { type Address, bytesToHex, EMPTY_BYTES, equalBytes, hexToBytes } from '../../primitives/hex.ts'
import { readAccount, updateAccount, type WorldState } from '../../state/world-state.ts'
import type { BlockEnvironment } from '../evm/environment.ts'
import { toEvmAddress } from '../evm/evm-address.ts'
import { toEvmBlock } from '../evm/evm-block.ts'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import { type CheatSite, Refusal, runCheatcode } from './cheatcode-table.ts'

/** The address of cheatcodes, of `hevm cheat code`. */
export const CHEATCODES: Address = '0x7109709ecfa91a80626ff3989d68f67f5b1dd12d'
const CHEATCODE_BYTES = hexToBytes(CHEATCODES)

/** `CheatcodeError(string)`. */
const ERROR = hexToBytes('0xeeaa9e6f')
const TEXT = elementaryType('string')

/** What calls look like that an account sends: as those of another. */
interface Prank {
  /** Who called the cheatcode. */
  readonly by: Address
  readonly as: Address
  readonly isLasting: boolean
}

/** Why a cheatcode has reverted; `undefined` for what else an execution returns. */
export function cheatcodeReason(returnData: Uint8Array): string | undefined {
  if (!equalBytes(returnData.subarray(0, 4), ERROR)) return undefined
  const [reason] = decodeAbi([TEXT], returnData.subarray(4)) ?? []
  return typeof reason === 'string' ? reason : undefined
}

/** What cheatcodes need of the EVM's modules, which are loaded with the first EVM. */
export interface CheatTools {
  /** The result of a message that reverts. */
  readonly reverted: (returnData: Uint8Array) => ExecResult
  /** Has opcodes such as TIMESTAMP read the block again. */
  readonly forgetWords: (covering: Covering) => void
}

export interface Cheats {
  /** Before an execution in a block. */
  readonly begin: (environment: BlockEnvironment) => void
  /** After it: the block as it has been changed. Throws `invalidOption` for a cheatcode that is not there. */
  readonly end: () => BlockEnvironment
}

/** Adds the cheatcodes to an EVM. */
export function installCheatcodes(
  { evm, writer }: EvmInstance,
  covering: Covering,
  tools: CheatTools,
): Cheats {
  const wasm = evm as unknown as WasmEvm
  const pranks = new Map<number, Prank>()
  let environment: BlockEnvironment | undefined
  let asked: { readonly caller: Uint8Array; readonly depth: number } = { caller: EMPTY_BYTES, depth: 0 }
  const prankOf = (account: Address, depth: number): Prank | undefined => {
    const prank = pranks.get(depth)
    return prank?.by === account ? prank : undefined
  }
  let missing: string | undefined
  const site: CheatSite = {
    prank(as, isLasting) {
      pranks.set(asked.depth, { by: bytesToHex(asked.caller), as: as as Address, isLasting })
    },
    stopPrank: () => void pranks.delete(asked.depth),
    deal(address, balance) {
      writer.current = updateAccount(writer.current, address as Address, { balance: balance as bigint })
    },
    moveTo(changes) {
      environment = { ...(environment as BlockEnvironment), ...changes }
      const { transaction } = wasm.environment as NonNullable<WasmEvm['environment']>
      wasm.environment = { block: toEvmBlock(environment), transaction }
      tools.forgetWords(covering)
    },
    environment: () => environment as BlockEnvironment,
  }
  const miss = (name: string): void => {
    missing ??= name
  }
  evm.precompiles.set(CHEATCODES.slice(2), ({ data }): ExecResult => {
    try {
      return { executionGasUsed: 0n, returnValue: runCheatcode(site, data, miss) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return tools.reverted(encodeAbi([TEXT], [error.reason], ERROR))
    }
  })
  wasm.payerOf = (account, depth) => prankOf(account, depth)?.as
  const isCheat = ({ to }: Message): boolean => to !== undefined && equalBytes(to.bytes, CHEATCODE_BYTES)
  evm.events.on('beforeMessage', (message) => {
    const { depth, caller } = message
    // Of frames that are over.
    for (const each of pranks.keys()) if (each > depth) pranks.delete(each)
    if (isCheat(message)) {
      asked = { caller: caller.bytes, depth }
      return
    }
    if (message.delegatecall || pranks.size === 0) return
    const account = bytesToHex(caller.bytes)
    const prank = prankOf(account, depth)
    if (prank === undefined) return
    if (!prank.isLasting) pranks.delete(depth)
    const sender = toEvmAddress(prank.as)
    if (message.to === undefined)
      writer.current = moveNonce(writer.current, bytesToHex(caller.bytes), prank.as)
    ;(message as { caller: Message['caller'] }).caller = sender
  })
  return {
    begin(given) {
      environment = given
      missing = undefined
      pranks.clear()
    },
    end() {
      if (missing === undefined) return environment as BlockEnvironment
      const reason = `${missing} of Foundry's cheatcodes is not there`
      throw failure('invalidOption', { option: 'test', reason })
    },
  }
}

/** The nonce of a creation, which its frame has raised, is that of the pranked account. */
function moveNonce(state: WorldState, from: Address, to: Address): WorldState {
  const lowered = updateAccount(state, from, { nonce: readAccount(state, from).nonce - 1n })
  return updateAccount(lowered, to, { nonce: readAccount(lowered, to).nonce + 1n })
}
