// EVM instances, kept for reuse: making one costs more than a transfer. Each runs on a StateWriter of its own,
// so executions that overlap never share anything mutable.

import { createEVM, type EVM } from '@ethereumjs/evm'
import { createVM, type VM } from '@ethereumjs/vm'
import { hexToBytes, ZERO_HASH } from '../primitives/hex.ts'
import type { Rules } from '../rollup/forks.ts'
import { StateWriter } from '../state/state-writer.ts'
import { EMPTY_WORLD_STATE, type WorldState } from '../state/world-state.ts'
import type { BlockHashOf } from './environment.ts'

export interface Machine {
  readonly rules: Rules
  readonly vm: VM
  readonly evm: EVM
  readonly writer: StateWriter
}

/** What an EVM needs to know besides the state: the rules and the past. */
export interface ExecutionContext {
  readonly machines: MachinePool
  readonly blockHashOf: BlockHashOf
}

interface PooledMachine extends Machine {
  blockHashOf: BlockHashOf
}

export interface MachinePool {
  readonly rules: Rules
  readonly allowUnlimitedContractSize: boolean
  readonly idle: PooledMachine[]
}

export function createMachinePool(rules: Rules, allowUnlimitedContractSize: boolean): MachinePool {
  return { rules, allowUnlimitedContractSize, idle: [] }
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
  machine = { rules, vm, evm, writer, blockHashOf: () => undefined }
  return machine
}

/** Lends a machine whose writer stands at `state` for the time of `use`. */
export async function useMachine<Result>(
  context: ExecutionContext,
  state: WorldState,
  use: (machine: Machine) => Promise<Result>,
): Promise<Result> {
  const machine = context.machines.idle.pop() ?? (await createMachine(context.machines))
  machine.blockHashOf = context.blockHashOf
  machine.writer.reset(state)
  const result = await use(machine)
  // Not in a `finally`: after an unexpected throw its journal may be mid-way, so it is let go.
  machine.writer.reset(EMPTY_WORLD_STATE)
  context.machines.idle.push(machine)
  return result
}
