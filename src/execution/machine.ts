// EVM instances, kept for reuse: making one costs more than a transfer. Each runs on a StateWriter of its own,
// so executions that overlap never share anything mutable.

import { createEVM, type EVM, type PrecompileFunc } from '@ethereumjs/evm'
import { createVM, type VM } from '@ethereumjs/vm'
import { hexToBytes, ZERO_HASH } from '../primitives/hex.ts'
import type { Rules } from '../rollup/forks.ts'
import type { PrecompileTable } from '../rollup/precompile-table.ts'
import { StateWriter } from '../state/state-writer.ts'
import { EMPTY_WORLD_STATE, type WorldState } from '../state/world-state.ts'
import { type ConsoleRecorder, recordConsole } from './console-calls.ts'
import type { BlockHashOf } from './environment.ts'
import { type SignerOverrides, withSigners } from './impersonated-signatures.ts'

export interface Machine {
  readonly rules: Rules
  readonly vm: VM
  readonly evm: EVM
  readonly writer: StateWriter
  readonly console: ConsoleRecorder
  /** The precompiles of the rules, by unprefixed address; `evm.precompiles` has them as a request moved them. */
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

const ECRECOVER = '1'.padStart(40, '0')

interface PooledMachine extends Machine {
  blockHashOf: BlockHashOf
  precompiles: PrecompileTable | undefined
  signers: SignerOverrides | undefined
}

/** The EVMs of one set of rules. */
export interface MachinePool {
  readonly rules: Rules
  readonly allowUnlimitedContractSize: boolean
  readonly idle: PooledMachine[]
}

/** The EVMs of a chain: a pool for each set of rules that it has run under. */
export interface Machines {
  readonly allowUnlimitedContractSize: boolean
  readonly pools: Map<Rules, MachinePool>
}

export function createMachines(allowUnlimitedContractSize: boolean): Machines {
  return { allowUnlimitedContractSize, pools: new Map() }
}

export function machinesFor({ allowUnlimitedContractSize, pools }: Machines, rules: Rules): MachinePool {
  let pool = pools.get(rules)
  if (pool === undefined) {
    pool = { rules, allowUnlimitedContractSize, idle: [] }
    pools.set(rules, pool)
  }
  return pool
}

async function createMachine({ rules, allowUnlimitedContractSize }: MachinePool): Promise<PooledMachine> {
  const writer = new StateWriter(EMPTY_WORLD_STATE)
  let machine: PooledMachine | undefined
  const blockchain = {
    getBlock: async (blockNumber: number) => ({
      hash: () => hexToBytes(machine?.blockHashOf(blockNumber) ?? ZERO_HASH),
    }),
    putBlock: async () => {},
    shallowCopy: () => blockchain,
  }
  const evm = await createEVM({
    common: rules.common,
    stateManager: writer,
    blockchain,
    allowUnlimitedContractSize,
    allowUnlimitedInitCodeSize: allowUnlimitedContractSize,
  })
  const vm = await createVM({ common: rules.common, stateManager: writer, blockchain, evm })
  const ecrecover = evm.precompiles.get(ECRECOVER)
  if (ecrecover !== undefined)
    evm.precompiles.set(
      ECRECOVER,
      withSigners(ecrecover, () => machine?.signers),
    )
  const ownPrecompiles = new Map(evm.precompiles)
  const lent = { blockHashOf: () => undefined, precompiles: undefined, signers: undefined }
  machine = { rules, vm, evm, writer, console: recordConsole(evm), ownPrecompiles, ...lent }
  return machine
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

/** Lends a machine whose writer stands at `state` for the time of `use`. */
export async function useMachine<Result>(
  context: ExecutionContext,
  state: WorldState,
  use: (machine: Machine) => Promise<Result>,
): Promise<Result> {
  const machine = context.machines.idle.pop() ?? (await createMachine(context.machines))
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
