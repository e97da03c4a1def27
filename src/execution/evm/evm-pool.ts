// Pool of EVM instances: constructing one costs more than a transfer. Each has its own StateWriter, so concurrent
// executions share nothing mutable.

import type { Covering } from '../../interpreter/covering.ts'
import { load } from '../../primitives/loading.ts'
import type { PrecompileTable } from '../../rollup/precompiles.ts'
import type { Rules } from '../../rollup/rules.ts'
import { EMPTY_WORLD_STATE, type WorldState } from '../../state/world-state.ts'
import type {
  EvmInstance,
  EvmPool,
  EvmPools,
  EvmSettings,
  ExecutionContext,
  PooledEvm,
} from './pooled-evm.ts'

export function createEvmPools({ allowUnlimitedContractSize, interpreter }: EvmSettings): EvmPools {
  return { settings: { allowUnlimitedContractSize, interpreter }, pools: new Map() }
}

export function evmPoolFor({ settings, pools }: EvmPools, rules: Rules): EvmPool {
  let pool = pools.get(rules)
  if (pool === undefined) {
    pool = { rules, settings, idle: [] }
    pools.set(rules, pool)
  }
  return pool
}

function installPrecompiles(instance: PooledEvm, table: PrecompileTable | undefined): void {
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

type CreateEvm = typeof import('./create-evm.ts')
type MakeEvm = CreateEvm['createPooledEvm']

let makeEvm: MakeEvm | undefined

/**
 * Loads the EVM with the first instance of the process, because the import takes longer than the rest of a chain's
 * start. Later instances are created synchronously, so that an execution takes the same number of microtasks with a
 * new instance as with a pooled one.
 */
async function loadEvm(): Promise<MakeEvm> {
  const { createPooledEvm, loadInterpreter } = await load(import('./create-evm.ts'))
  await load(loadInterpreter())
  makeEvm = createPooledEvm
  return createPooledEvm
}

/** Gives an instance the settings of its next executions. */
function prepare(instance: PooledEvm, { blockHashOf, signers, precompiles }: ExecutionContext): void {
  instance.blockHashOf = blockHashOf
  instance.signers = signers
  installPrecompiles(instance, precompiles)
}

/** An instance of its own, not of the pool, that records coverage; `known` is that of another instance. */
export async function createCoveredEvm(
  context: ExecutionContext,
  known?: Covering,
): Promise<{ readonly instance: EvmInstance; readonly covering: Covering }> {
  await loadEvm()
  const { coverEvm } = await load(import('./create-evm.ts'))
  const { instance, covering } = await coverEvm(context.evmPool, known)
  prepare(instance, context)
  return { instance, covering }
}

/** Runs `use` on an EVM instance whose writer stands at `state`. */
export async function withEvm<Result>(
  context: ExecutionContext,
  state: WorldState,
  use: (instance: EvmInstance) => Promise<Result>,
): Promise<Result> {
  const instance = context.evmPool.idle.pop() ?? (makeEvm ?? (await loadEvm()))(context.evmPool)
  prepare(instance, context)
  instance.writer.reset(state)
  // Discards console calls of system calls, which do not take theirs.
  instance.console.take()
  const result = await use(instance)
  // Not in a `finally`: after an unexpected throw the journal may have open checkpoints, so the instance is dropped.
  instance.writer.reset(EMPTY_WORLD_STATE)
  context.evmPool.idle.push(instance)
  return result
}
