// Pool of EVM instances: constructing one costs more than a transfer. Each has its own StateWriter, so concurrent
// executions share nothing mutable. Transfers to accounts without code need no EVM; results are identical.

import type { Covering } from '../../interpreter/covering.ts'
import { toEvmAddress } from '../../interpreter/evm-address.ts'
import { failure } from '../../primitives/errors.ts'
import { EMPTY_BYTES } from '../../primitives/hex.ts'
import { andThen, type Later, load, loadOnce } from '../../primitives/loading.ts'
import { MAX_UINT256 } from '../../primitives/numbers.ts'
import type { SharedBytes } from '../../primitives/shared-bytes.ts'
import type { PrecompileTable } from '../../rollup/precompiles.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import { type Guess, missedIn } from '../../state/overlay-map.ts'
import { credit, EMPTY_WORLD_STATE, readAccount, type WorldState } from '../../state/world-state.ts'
import { intrinsicGas } from '../transaction/intrinsic-gas.ts'
import { withoutEmpty } from '../transaction/payment.ts'
import type { CoveredEvm } from './covered-evm.ts'
import type * as evms from './pooled-evm.ts'
import { CONSOLE_ADDRESS } from './pooled-evm.ts'
import { type MessageFields, type MessageResult, resultOfMessage, type Settlement } from './run-message.ts'

export function createEvmPools({ allowUnlimitedContractSize, interpreter }: evms.EvmSettings): evms.EvmPools {
  return { settings: { allowUnlimitedContractSize, interpreter }, pools: new Map() }
}

export function evmPoolFor({ settings, pools }: evms.EvmPools, rules: Rules): evms.EvmPool {
  let pool = pools.get(rules)
  if (pool === undefined) {
    pool = { rules, settings, idle: [] }
    pools.set(rules, pool)
  }
  return pool
}

function installPrecompiles(instance: evms.PooledEvm, table: PrecompileTable | undefined): void {
  if (instance.precompiles === table) return
  instance.precompiles = table
  const { evm, ownPrecompiles } = instance
  const places =
    table === undefined
      ? [...ownPrecompiles.keys()].map((address) => [address, address] as const)
      : [...table].map(([address, own]) => [address.slice(2), own.slice(2)] as const)
  evm.precompiles.clear()
  for (const [address, own] of places) {
    const precompile = ownPrecompiles.get(own)
    if (precompile !== undefined) evm.precompiles.set(address, precompile)
  }
}

/** Forks before byzantium, of which blocks can be imported, have the reference only. */
function kindOf({ rules, settings }: evms.EvmPool): evms.InterpreterKind {
  return isForkActive(rules, 'byzantium') ? settings.interpreter : 'reference'
}

/**
 * Load an EVM with its first instance in the process, because the import takes longer than the rest of a chain's start.
 * Later instances are created synchronously, so that an execution takes the same number of microtasks with a new
 * instance as with a pooled one.
 */
const makers = {
  wasm: loadOnce(async () => {
    const { createWasmInstance, loadInterpreter, loadNatives } = await import('./create-evm.ts')
    await loadInterpreter()
    return { create: createWasmInstance, loadNatives }
  }),
  reference: loadOnce(async () => {
    const { createReferenceInstance, loadNatives, loadReference } = await import('./create-evm.ts')
    return { create: createReferenceInstance.bind(undefined, await loadReference()), loadNatives }
  }),
}

function newInstance(pool: evms.EvmPool): Later<evms.PooledEvm> {
  type Maker = Awaited<ReturnType<typeof makers.wasm>>
  return andThen<Maker, evms.PooledEvm>(makers[kindOf(pool)](), ({ create, loadNatives }) =>
    andThen(loadNatives(pool.rules), (natives) => create(pool, natives)),
  )
}

/** Gives an instance the settings of its next executions. */
function prepare(
  instance: evms.PooledEvm,
  { blockHashOf, signers, precompiles, meter }: evms.ExecutionContext,
): void {
  instance.blockHashOf = blockHashOf
  instance.signers = signers
  instance.meter = meter
  installPrecompiles(instance, precompiles)
}

/**
 * An instance of its own, not of the pool, that records coverage; `known` is that of another instance, and `copies`
 * where copies of its memory may go that are soon dropped. Throws
 * `coverageUnavailable` where the reference executes.
 */
export async function createCoveredEvm(
  context: evms.ExecutionContext,
  known?: Covering,
  copies?: SharedBytes,
): Promise<CoveredEvm> {
  if (kindOf(context.evmPool) === 'reference') throw failure('coverageUnavailable')
  const { coverEvm } = await load(import('./create-evm.ts'))
  const covered = await coverEvm(context.evmPool, known, copies)
  prepare(covered.instance, context)
  return covered
}

/** Uses an instance; `isGuess` is true where the state takes what is not known for empty, so that nothing is refused. */
export type UseEvm<Result> = (instance: evms.EvmInstance, isGuess: boolean) => Promise<Result>

function start(instance: evms.PooledEvm, context: evms.ExecutionContext, state: WorldState): evms.PooledEvm {
  prepare(instance, context)
  instance.writer.reset(state)
  // Discards console calls of system calls, which do not take theirs.
  instance.console.take()
  return instance
}

/** The same use with guesses, in a fast instance that is then dropped. */
function guessOf(context: evms.ExecutionContext, state: WorldState, use: UseEvm<unknown>): Guess {
  return async ({ state: guessed, read }) => {
    const blockHashOf = (number: number) => read(() => context.blockHashOf(number))
    const { rules, settings } = context.evmPool
    const instance = await newInstance({ rules, settings: { ...settings, interpreter: 'wasm' }, idle: [] })
    const guessing = { ...context, blockHashOf, meter: undefined }
    await use(start(instance, guessing, guessed(state)), true)
  }
}

/** Runs `use` on an EVM instance whose writer stands at `state`. */
export async function withEvm<Result>(
  context: evms.ExecutionContext,
  state: WorldState,
  use: UseEvm<Result>,
): Promise<Result> {
  const found = context.evmPool.idle.pop() ?? newInstance(context.evmPool)
  const instance = found instanceof Promise ? await found : found
  try {
    const result = await use(start(instance, context, state), false)
    // Not in a `finally`: after an unexpected throw the journal may have open checkpoints, so the instance is dropped.
    instance.writer.reset(EMPTY_WORLD_STATE)
    context.evmPool.idle.push(instance)
    return result
  } catch (error) {
    throw missedIn(error, { guess: guessOf(context, state, use) })
  }
}

/** True for a message that only transfers ether, cannot fail, and that nobody observes. */
function isTransfer({ evm, writer, observed }: evms.EvmInstance, message: MessageFields): boolean {
  if (observed.current !== undefined) return false
  const { from, to, value, authorizationList } = message
  if (to === undefined || authorizationList.length > 0) return false
  if (to === CONSOLE_ADDRESS || evm.precompiles.has(toEvmAddress(to).bare)) return false
  const { current } = writer
  const recipient = readAccount(current, to)
  if (recipient.code.bytes.length > 0) return false
  return readAccount(current, from).balance >= value && recipient.balance + value <= MAX_UINT256
}

const NOTHING_EXECUTED = { execResult: { returnValue: EMPTY_BYTES, executionGasUsed: 0n } }

/** The result of `runMessage` for a transfer; `undefined` for any other message. */
export function runTransfer(
  instance: evms.EvmInstance,
  message: MessageFields,
  settle?: Settlement,
): MessageResult | undefined {
  if (!isTransfer(instance, message)) return undefined
  const { rules, writer } = instance
  const { from, value } = message
  const to = message.to as NonNullable<MessageFields['to']>
  const result = resultOfMessage(instance, message, NOTHING_EXECUTED, intrinsicGas(rules, message), 0n)
  const moved = credit(credit(writer.current, from, -value), to, value)
  // After the settlement, which may credit the recipient. The transfer touches the recipient (EIP-161).
  writer.reset(settle === undefined ? moved : withoutEmpty(rules, settle(moved, result), to))
  return result
}
