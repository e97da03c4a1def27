// Runs under an observer.

import type { EVMError, EVMResult } from '@ethereumjs/evm'
import type { Message, Observation } from '../../interpreter/message.ts'
import type { FrameKind, Observer } from '../../interpreter/observer.ts'
import { create2Address, createAddress } from '../../primitives/crypto.ts'
import { type Address, bytesToHex, EMPTY_BYTES } from '../../primitives/hex.ts'
import type { Later } from '../../primitives/loading.ts'
import { readAccount, runCodeAt } from '../../state/world-state.ts'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import type { MessageFields } from '../evm/run-message.ts'
import { haltReason } from '../result/revert-reason.ts'
import type { CodeOf, Probe, ProbedKind } from './probe.ts'

const CALL_KINDS: Readonly<Record<number, FrameKind>> = {
  241: 'CALL',
  242: 'CALLCODE',
  244: 'DELEGATECALL',
  250: 'STATICCALL',
}
const CALL = 0xf1
const OUT_OF_GAS = 'out of gas'
/** An error of @ethereumjs. */
const CODE_STORE_OUT_OF_GAS = 'code store out of gas'

/** Tells of frames by the events of an EVM, which both interpreters emit. */
function observeFrames({ evm, writer }: EvmInstance, observer: Observer) {
  /** True for each open frame that is a creation. */
  const creations: boolean[] = []

  /** `nonce` is the creator's before the creation. */
  function created({ caller, salt, data }: Message, nonce: bigint): Address {
    const address =
      salt === undefined ? createAddress(caller.bytes, nonce) : create2Address(caller.bytes, salt, data)
    return bytesToHex(address)
  }

  function kindOf({ to, salt, depth }: Message): FrameKind {
    if (to === undefined) return salt === undefined ? 'CREATE' : 'CREATE2'
    return CALL_KINDS[depth === 0 ? CALL : observation.messageOpcode] as FrameKind
  }

  function enter(message: Message, nonceBefore: (nonce: bigint) => bigint): void {
    const { caller, to, value, data, gasLimit, depth } = message
    creations.push(to === undefined)
    if (observer.enter === undefined) return
    const kind = kindOf(message)
    const from = bytesToHex((kind === 'DELEGATECALL' && to !== undefined ? to : caller).bytes)
    const target =
      to === undefined
        ? created(message, nonceBefore(readAccount(writer.current, from).nonce))
        : bytesToHex(message.codeAddress.bytes)
    const bare = target.slice(2)
    const isPrecompile = to !== undefined && evm.precompiles.has(bare) && evm.isNative?.(bare) !== true
    const [input, gas] = [data.slice(), Number(gasLimit)]
    observer.enter({ kind, depth, from, to: target, value, input, gas, isPrecompile })
  }

  function exit(output: Uint8Array, gasUsed: number, error: string | undefined): void {
    creations.pop()
    observation.failure = undefined
    observer.exit?.({ output, gasUsed, error })
  }

  const hasSteps = observer.step !== undefined || observer.stepEnd !== undefined
  const observation: Observation = {
    observer,
    hasSteps,
    hasPlaces: !hasSteps && observer.place !== undefined,
    authorizationRefund: 0,
    messageOpcode: CALL,
    failure: undefined,
    failedCost: undefined,
    access: undefined,
    reference: undefined,
    refuse(message, error) {
      enter(message, (nonce) => nonce)
      exit(EMPTY_BYTES, 0, error)
    },
  }

  function begin(message: Message): void {
    observation.reference?.begin(message)
    // The creator's nonce is already incremented.
    enter(message, (nonce) => nonce - 1n)
  }

  function errorOf(exception: EVMError): string | undefined {
    // Before homestead a contract whose code cannot be paid stays, without code.
    if (exception.error === CODE_STORE_OUT_OF_GAS) return undefined
    const reason = observation.failure ?? haltReason(exception)
    // The code has not run out of gas, or its interpreter would have said so.
    const isUnpaid = creations.at(-1) === true && observation.failure === undefined && reason === OUT_OF_GAS
    return isUnpaid ? 'contract creation code storage out of gas' : reason
  }

  function end({ execResult }: EVMResult): void {
    observation.reference?.end(execResult)
    const { exceptionError, executionGasUsed, returnValue, runState } = execResult
    const error = exceptionError === undefined ? undefined : errorOf(exceptionError)
    const isKept = exceptionError !== undefined && error === undefined
    // The final state has what the code returned.
    const returned = isKept
      ? (runState as Partial<EVMResult['execResult']> | undefined)?.returnValue
      : undefined
    exit(returned ?? returnValue, Number(executionGasUsed), error)
  }
  return { observation, begin, end }
}

/** Runs with an observer; `run` must execute on the instance. */
export async function observe<Result>(
  instance: EvmInstance,
  observer: Observer,
  run: () => Later<Result>,
): Promise<Result> {
  const { observed } = instance
  const { events } = instance.evm
  const { observation, begin, end } = observeFrames(instance, observer)
  if (observation.hasSteps || observation.hasPlaces) await observed.prepareSteps()
  const reference = observed.translate?.(observation)
  const step = reference?.step.bind(reference)
  observation.reference = reference
  observed.current = observation
  events.on('beforeMessage', begin)
  events.on('afterMessage', end)
  if (step !== undefined) events.on('step', step)
  try {
    return await run()
  } finally {
    observed.current = undefined
    events.off('beforeMessage', begin)
    events.off('afterMessage', end)
    if (step !== undefined) events.off('step', step)
  }
}

export function codeReader({ writer }: EvmInstance): CodeOf {
  return (address) => runCodeAt(writer.current, address)
}

/** Runs a message under a probe, if there is one and the message runs code. */
export async function runProbed<Result>(
  instance: EvmInstance,
  { probe, kind }: { readonly probe: Probe | undefined; readonly kind: ProbedKind },
  { to, authorizationList }: Pick<MessageFields, 'to' | 'authorizationList'>,
  run: () => Promise<Result>,
  gasUsedBy: (result: Result) => bigint,
): Promise<Result> {
  if (probe === undefined) return run()
  const codeOf = codeReader(instance)
  if (to !== undefined && authorizationList.length === 0 && codeOf(to).length === 0) return run()
  const { observer, end } = probe.begin(kind, codeOf)
  const result = await observe(instance, observer, run)
  end(gasUsedBy(result))
  return result
}
