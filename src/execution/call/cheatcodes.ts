// Foundry's cheatcodes, for handlers of invariant tests: calls to an address change the sender, the time and balances
// from inside an execution. They work on EVMs of exploring alone.

import type { EVMResult, ExecResult } from '@ethereumjs/evm'
import type { Covering } from '../../interpreter/covering.ts'
import type { WasmEvm } from '../../interpreter/evm.ts'
import type { Message } from '../../interpreter/message.ts'
import { failure } from '../../primitives/errors.ts'
import {
  type Address,
  bytesToHex,
  EMPTY_BYTES,
  equalBytes,
  type Hex,
  hexToBytes,
  utf8ToBytes,
} from '../../primitives/hex.ts'
import { andThen, type Later } from '../../primitives/later.ts'
import { makeCode } from '../../state/account.ts'
import { readAccount, readStorage, updateAccount, type WorldState } from '../../state/world-state.ts'
import { CHEATCODES, CONSOLE_ADDRESS } from '../evm/console-calls.ts'
import type { BlockEnvironment } from '../evm/environment.ts'
import { toEvmAddress } from '../evm/evm-address.ts'
import { toEvmBlock } from '../evm/evm-block.ts'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import { ASSUMPTION, cheatcodeError } from './cheatcode-errors.ts'
import { type CheatSite, Refusal, runCheatcode } from './cheatcode-table.ts'
import { EXPECTED_OUTPUT_BYTES, type ExpectedRevert, unexpectedEnd } from './expected-revert.ts'
import { checkPrank, NO_PRANKS, type Pranks, prankAt, withoutPrank, withPrank } from './pranks.ts'

/** Code that reads a slot of the account it runs for, or writes one: what the input has. */
const ACCESSOR: Address = '0x7109709ecfa91a80626ff3989d68f67f5b1dd12e'
const ACCESSOR_CODE = hexToBytes('0x366040146013576000355460005260206000f35b60203560003555')
/** What an expected revert of a creation returns. */
const NO_CONTRACT = toEvmAddress('0x0000000000000000000000000000000000000001')
/** Where DSTest notes that a test has failed: a slot of the address of cheatcodes. */
const FAILED: Hex = `0x${bytesToHex(utf8ToBytes('failed')).slice(2).padEnd(64, '0')}`

/** Solidity calls only what has code. */
export function withCheatcodes(state: WorldState): WorldState {
  const marked = updateAccount(state, CHEATCODES, { code: makeCode(new Uint8Array(1)) })
  return updateAccount(marked, ACCESSOR, { code: makeCode(ACCESSOR_CODE) })
}

/** What cheatcodes need of the EVM's modules, which are loaded with the first EVM. */
export interface CheatTools {
  /** The result of a message that reverts. */
  readonly reverted: (returnData: Uint8Array) => ExecResult
  readonly makeMessage: (fields: ConstructorParameters<typeof Message>[0]) => Message
}

/** An assertion of a test that has failed. */
export interface FailedTest {
  readonly reason: string
  /** The branch that was taken last before it; absent for the note of DSTest. */
  readonly place?: number
}

/** What cheatcodes leave behind. */
export interface Cheated {
  /** The block as it has been changed. */
  readonly environment: BlockEnvironment
  readonly pranks: Pranks
}

export interface Cheats {
  /** Before an execution. */
  readonly begin: (cheated: Cheated) => void
  /** After it. Throws `invalidOption` for a cheatcode that is not there. */
  readonly end: () => Cheated
  /** The assertion by which an execution has failed; to be asked after `end`. */
  readonly failedTest: (
    hasFailed: boolean,
    returnData: Uint8Array,
    after: WorldState,
  ) => FailedTest | undefined
}

const NOT_BEGUN: Cheated = { environment: undefined as never, pranks: NO_PRANKS }

class CheatRun implements Cheats {
  private readonly wasm: WasmEvm
  private readonly writer: EvmInstance['writer']
  private readonly covering: Covering
  private readonly tools: CheatTools
  private environment: BlockEnvironment = NOT_BEGUN.environment
  private pranks: Pranks = NO_PRANKS
  private expected: ExpectedRevert | undefined
  private missing: string | undefined
  /** The last failed assertion of vm, with what it returned. */
  private asserted: (FailedTest & { readonly returnData: Uint8Array }) | undefined
  /** Messages that have begun. */
  private readonly open: Message[] = []

  constructor({ evm, writer }: EvmInstance, covering: Covering, tools: CheatTools) {
    this.wasm = evm as unknown as WasmEvm
    this.writer = writer
    this.covering = covering
    this.tools = tools
    evm.precompiles.set(CHEATCODES.slice(2), ({ data }) => this.run(data))
    this.wasm.payerOf = (account, depth) => {
      const prank = prankAt(this.pranks, depth)
      return prank?.depth === depth && prank.by === account ? prank.as : undefined
    }
    evm.events.on('beforeMessage', (message) => this.before(message))
    evm.events.on('afterMessage', (result) => this.after(result))
  }

  begin({ environment, pranks }: Cheated): void {
    this.environment = environment
    this.pranks = pranks
    this.expected = undefined
    this.missing = undefined
    this.asserted = undefined
    this.open.length = 0
  }

  end(): Cheated {
    const { environment, pranks, missing } = this
    if (missing === undefined) return { environment, pranks }
    const reason = `${missing} of Foundry's cheatcodes is not there`
    throw failure('invalidOption', { option: 'test', reason })
  }

  failedTest(hasFailed: boolean, returnData: Uint8Array, after: WorldState): FailedTest | undefined {
    const { asserted } = this
    if (hasFailed) return asserted && equalBytes(returnData, asserted.returnData) ? asserted : undefined
    const isNoted = readStorage(after, CHEATCODES, FAILED).length > 0
    return isNoted ? { reason: 'assertion failed' } : undefined
  }

  private run(data: Uint8Array): Later<ExecResult> {
    const message = this.open.at(-1) as Message
    // By DELEGATECALL it is the code of the address that runs, which does nothing.
    if (!isTo(message, CHEATCODE_BYTES)) return { executionGasUsed: 0n, returnValue: EMPTY_BYTES }
    try {
      const returned = runCheatcode(this.siteOf(message), data, (name) => {
        this.missing ??= name
      })
      return andThen(returned, (returnValue) => ({ executionGasUsed: 0n, returnValue }))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { kind, reason } = error
      const returnData = kind === 'assumption' ? ASSUMPTION : cheatcodeError(reason)
      if (kind === 'assertion') this.asserted = { reason, returnData, place: this.covering.last() }
      return this.tools.reverted(returnData)
    }
  }

  private siteOf({ caller, depth }: Message): CheatSite {
    const { writer } = this
    return {
      prank: (disguise, isLasting) => {
        checkPrank(this.pranks, depth, isLasting)
        const { environment } = this.wasm
        const originBefore = bytesToHex(
          (environment as NonNullable<typeof environment>).transaction.origin.bytes,
        )
        const by = bytesToHex(caller.bytes)
        this.pranks = withPrank(this.pranks, {
          ...disguise,
          by,
          depth,
          isLasting,
          isUsed: false,
          originBefore,
        })
      },
      stopPrank: () => {
        this.pranks = withoutPrank(this.pranks, depth)
      },
      expectRevert: (reason, isPartial = false) => {
        if (this.expected !== undefined) {
          throw new Refusal(
            'vm.expectRevert: you must call another function prior to expecting a second revert',
          )
        }
        this.expected = { depth, reason, isPartial, hasCalled: false }
      },
      deal(address, balance) {
        writer.current = updateAccount(writer.current, address, { balance })
      },
      etch(address, code) {
        writer.current = updateAccount(writer.current, address, { code: makeCode(code) })
      },
      nonceOf: (address) => readAccount(writer.current, address).nonce,
      load: (address, slot) => this.access(address, hexToBytes(slot), bytesToHex),
      store: (address, slot, value) =>
        this.access(address, hexToBytes(`${slot}${value.slice(2)}`), () => undefined),
      moveTo: (changes) => {
        this.environment = { ...this.environment, ...changes }
        this.wasm.changeEnvironment({ block: toEvmBlock(this.environment) })
      },
      environment: () => this.environment,
    }
  }

  /** Storage is in the module while code runs, so that code reads and writes it. */
  private access<Result>(
    address: Address,
    data: Uint8Array,
    use: (returned: Uint8Array) => Result,
  ): Later<Result> {
    const { wasm } = this
    const { depth } = this.open.at(-1) as Message
    const to = toEvmAddress(address)
    const message = this.tools.makeMessage({
      ...{ caller: to, to, codeAddress: toEvmAddress(ACCESSOR), delegatecall: true },
      ...{ value: 0n, gasLimit: 100_000n, data, depth: depth + 1 },
    })
    const { expected, pranks } = this
    this.expected = undefined
    this.pranks = NO_PRANKS
    const ran = wasm.runMessage(message)
    return andThen(ran, ({ execResult }) => {
      this.expected = expected
      this.pranks = pranks
      return use(execResult.returnValue)
    })
  }

  private before(message: Message): void {
    this.open.push(message)
    if (isOwn(message)) return
    const { depth, caller } = message
    if (this.expected !== undefined && depth >= this.expected.depth) this.expected.hasCalled = true
    const prank = prankAt(this.pranks, depth)
    if (prank === undefined || prank.by !== bytesToHex(caller.bytes)) return
    const isHere = prank.depth === depth
    if (isHere) this.disguise(message, prank.as)
    if (prank.origin !== undefined) this.wasm.changeEnvironment({ origin: toEvmAddress(prank.origin) })
    const isApplied = isHere || prank.origin !== undefined
    if (isApplied && !prank.isUsed) this.pranks = withPrank(this.pranks, { ...prank, depth, isUsed: true })
  }

  private disguise(message: Message, as: Address): void {
    const { writer } = this
    if (message.to === undefined) {
      writer.current = moveNonce(writer.current, bytesToHex(message.caller.bytes), as)
    }
    ;(message as { caller: Message['caller'] }).caller = toEvmAddress(as)
  }

  private after(result: EVMResult): void {
    const message = this.open.pop() as Message
    if (isOwn(message)) return
    const { depth } = message
    const prank = prankAt(this.pranks, depth)
    if (prank?.depth === depth) {
      if (prank.origin !== undefined) {
        this.wasm.changeEnvironment({ origin: toEvmAddress(prank.originBefore) })
      }
      if (!prank.isLasting) this.pranks = withoutPrank(this.pranks, depth)
    }
    const { expected } = this
    if (expected === undefined || depth > expected.depth) return
    this.expected = undefined
    this.endExpected(expected, result)
  }

  /** Turns a revert that was expected into a success, and any other end into a failure. */
  private endExpected(expected: ExpectedRevert, result: EVMResult): void {
    const { execResult } = result
    const reason = unexpectedEnd(expected, execResult.exceptionError !== undefined, execResult.returnValue)
    if (reason !== undefined) {
      const { exceptionError, returnValue } = this.tools.reverted(cheatcodeError(reason))
      execResult.returnValue = returnValue
      if (exceptionError !== undefined) execResult.exceptionError = exceptionError
      return
    }
    delete execResult.exceptionError
    const isCreation = result.createdAddress !== undefined
    execResult.returnValue = isCreation ? EMPTY_BYTES : new Uint8Array(EXPECTED_OUTPUT_BYTES)
    if (isCreation) result.createdAddress = NO_CONTRACT as never
  }
}

const CHEATCODE_BYTES = hexToBytes(CHEATCODES)
const CONSOLE_BYTES = hexToBytes(CONSOLE_ADDRESS)

function isTo({ to }: Message, address: Uint8Array): boolean {
  return to !== undefined && equalBytes(to.bytes, address)
}

/** Whether a message is none of the test's: to cheatcodes, or to the console. */
function isOwn(message: Message): boolean {
  return isTo(message, CHEATCODE_BYTES) || isTo(message, CONSOLE_BYTES)
}

/** The nonce of a creation, which its frame has raised, is that of the pranked account. */
function moveNonce(state: WorldState, from: Address, to: Address): WorldState {
  const lowered = updateAccount(state, from, { nonce: readAccount(state, from).nonce - 1n })
  return updateAccount(lowered, to, { nonce: readAccount(lowered, to).nonce + 1n })
}

/** Adds the cheatcodes to an EVM. */
export function installCheatcodes(instance: EvmInstance, covering: Covering, tools: CheatTools): Cheats {
  return new CheatRun(instance, covering, tools)
}
