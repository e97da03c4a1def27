// EVM instances, kept for reuse: making one costs more than a transfer. Each runs on a StateWriter of its own,
// so executions that overlap never share anything mutable.

import type { EVM, PrecompileFunc } from '@ethereumjs/evm'
import type { GasWatch } from '../../interpreter/gas-watch.ts'
import { load } from '../../primitives/loading.ts'
import type { Rules } from '../../rollup/forks.ts'
import type { PrecompileTable } from '../../rollup/precompile-table.ts'
import type { StateWriter } from '../../state/state-writer.ts'
import { EMPTY_WORLD_STATE, type WorldState } from '../../state/world-state.ts'
import type { ConsoleRecorder } from './console-calls.ts'
import type { BlockHashOf } from './environment.ts'
import type { SignerOverrides } from './impersonated-signatures.ts'

export interface Machine {
  readonly rules: Rules
  /** @internal */
  readonly evm: EVM
  /** @internal */
  readonly writer: StateWriter
  readonly console: ConsoleRecorder
  /** What is learnt of gas while it runs; the interpreter of @ethereumjs does not tell. */
  readonly gasWatch: GasWatch | undefined
  /** Makes the precompiles of the rules warm for a transaction. */
  readonly warmPrecompiles: () => void
  /**
   * The precompiles of the rules, by unprefixed address; `evm.precompiles` has them as a request moved them.
   * @internal
   */
  readonly ownPrecompiles: ReadonlyMap<string, PrecompileFunc>
}

/** What an EVM needs to know besides the state: the rules, the past, and what a request makes of precompiles. */
export interface ExecutionContext {
  readonly machines: MachinePool
  readonly blockHashOf: BlockHashOf
  /** Where precompiles answer; absent, as the rules have them. */
  readonly precompiles?: PrecompileTable | undefined
  /** What ecrecover answers instead of the truth. */
  readonly signers?: SignerOverrides | undefined
}

/** A machine with what it is set to while it is lent. */
export interface PooledMachine extends Machine {
  blockHashOf: BlockHashOf
  precompiles: PrecompileTable | undefined
  signers: SignerOverrides | undefined
}

/** What executes code: WebAssembly (src/interpreter), or the interpreter of @ethereumjs/evm. */
export type InterpreterKind = 'wasm' | 'reference'

/** What the EVMs of a chain have in common. */
export interface MachineSettings {
  /** Whether the limits on code and init code size are lifted (EIP-170, EIP-3860). */
  readonly allowUnlimitedContractSize: boolean
  readonly interpreter: InterpreterKind
}

/** The EVMs of one set of rules. */
export interface MachinePool {
  readonly rules: Rules
  readonly settings: MachineSettings
  readonly idle: PooledMachine[]
}

/** The EVMs of a chain: a pool for each set of rules that it has run under. */
export interface Machines {
  readonly settings: MachineSettings
  readonly pools: Map<Rules, MachinePool>
}

export function createMachines({ allowUnlimitedContractSize, interpreter }: MachineSettings): Machines {
  return { settings: { allowUnlimitedContractSize, interpreter }, pools: new Map() }
}

export function machinesFor({ settings, pools }: Machines, rules: Rules): MachinePool {
  let pool = pools.get(rules)
  if (pool === undefined) {
    pool = { rules, settings, idle: [] }
    pools.set(rules, pool)
  }
  return pool
}

function installPrecompiles(machine: PooledMachine, table: PrecompileTable | undefined): void {
  if (machine.precompiles === table) return
  machine.precompiles = table
  const { evm, ownPrecompiles } = machine
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

type MakeMachine = (machines: MachinePool) => PooledMachine

let makeMachine: MakeMachine | undefined

/**
 * The EVM is loaded with the first machine of the process, since importing it takes longer than all else that a chain
 * starts with. From then on making one takes no promise: an execution that makes a machine takes as many turns as one
 * that finds one.
 */
async function loadMachines(): Promise<MakeMachine> {
  const { createMachine, loadInterpreter } = await load(import('./create-evm.ts'))
  await load(loadInterpreter())
  makeMachine = createMachine
  return createMachine
}

/** Lends a machine whose writer stands at `state` for the time of `use`. */
export async function useMachine<Result>(
  context: ExecutionContext,
  state: WorldState,
  use: (machine: Machine) => Promise<Result>,
): Promise<Result> {
  const machine = context.machines.idle.pop() ?? (makeMachine ?? (await loadMachines()))(context.machines)
  machine.blockHashOf = context.blockHashOf
  machine.signers = context.signers
  installPrecompiles(machine, context.precompiles)
  machine.writer.reset(state)
  // System calls leave theirs behind.
  machine.console.take()
  const result = await use(machine)
  // Not in a `finally`: after an unexpected throw its journal may be mid-way, so it is let go.
  machine.writer.reset(EMPTY_WORLD_STATE)
  context.machines.idle.push(machine)
  return result
}
