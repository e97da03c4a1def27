// EVM instances, kept for reuse: making one costs more than a transfer. Each runs on a StateWriter of its own,
// so executions that overlap never share anything mutable.

import { load } from '../../primitives/loading.ts'
import type { PrecompileTable } from '../../rollup/precompile-table.ts'
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

type MakeEvm = (pool: EvmPool) => PooledEvm

let makeEvm: MakeEvm | undefined

/**
 * The EVM is loaded with the first instance of the process, since importing it takes longer than all else that a chain
 * starts with. From then on making one takes no promise: an execution that makes an instance takes as many turns as one
 * that finds one.
 */
async function loadEvm(): Promise<MakeEvm> {
  const { createPooledEvm, loadInterpreter } = await load(import('./create-evm.ts'))
  await load(loadInterpreter())
  makeEvm = createPooledEvm
  return createPooledEvm
}

/** Runs `use` on an EVM instance whose writer stands at `state`. */
export async function withEvm<Result>(
  context: ExecutionContext,
  state: WorldState,
  use: (instance: EvmInstance) => Promise<Result>,
): Promise<Result> {
  const instance = context.evmPool.idle.pop() ?? (makeEvm ?? (await loadEvm()))(context.evmPool)
  instance.blockHashOf = context.blockHashOf
  instance.signers = context.signers
  installPrecompiles(instance, context.precompiles)
  instance.writer.reset(state)
  // System calls leave theirs behind.
  instance.console.take()
  const result = await use(instance)
  // Not in a `finally`: after an unexpected throw its journal may be mid-way, so it is let go.
  instance.writer.reset(EMPTY_WORLD_STATE)
  context.evmPool.idle.push(instance)
  return result
}
