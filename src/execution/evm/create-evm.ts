// Construction of EVM instances. evm-pool.ts imports it dynamically, so that the EVM and the curves of its precompiles
// load with the first execution.

import { EVM, type EVMOpts } from '@ethereumjs/evm'
import { type Covering, createCovering } from '../../interpreter/covering.ts'
import { supportsRules, WasmEvm } from '../../interpreter/evm.ts'
import { loadCoveringInterpreter } from '../../interpreter/module.ts'
import type { Observation, ObservedEvm } from '../../interpreter/observation.ts'
import { ReferenceTranslator } from '../../interpreter/reference-steps.ts'
import { failure } from '../../primitives/errors.ts'
import { type Address, hexToBytes, ZERO_HASH } from '../../primitives/hex.ts'
import { load } from '../../primitives/loading.ts'
import type { Rules } from '../../rollup/rules.ts'
import { StateWriter } from '../../state/state-writer.ts'
import { EMPTY_WORLD_STATE } from '../../state/world-state.ts'
import { installPrecompiles, lazyBls, lazyBn254 } from '../precompiles/install.ts'
import { recordConsole } from './console-calls.ts'
import type { BlockHashOf } from './environment.ts'
import { evmParameters } from './evm-parameters.ts'
import { withSigners } from './impersonated-signatures.ts'
import type { EvmPool, EvmSettings, PooledEvm } from './pooled-evm.ts'

export { loadInterpreter } from '../../interpreter/module.ts'

const ECRECOVER = '1'.padStart(40, '0')
const REVERT = 0xfd
/** An opcode of no fork. */
const UNUSED = 0xfc

/**
 * Hides REVERT from the step events of @ethereumjs. They read what it returns before its memory is paid for, so that one
 * with too few operands has no event, and one with an endless length fails. Observers take opcodes from the code.
 */
function hideRevert(evm: EVM): void {
  const opcodes = evm['_opcodeMap' as never] as Record<number, { opcodeInfo: { code: number } }>
  const known = opcodes[REVERT]
  if (known?.opcodeInfo.code !== REVERT) return
  const code = { value: UNUSED, enumerable: true }
  opcodes[REVERT] = { ...known, opcodeInfo: Object.create(known.opcodeInfo, { code }) }
}

function createEvm(
  rules: Rules,
  { allowUnlimitedContractSize, interpreter }: EvmSettings,
  stateManager: StateWriter,
  blockchain: NonNullable<EVMOpts['blockchain']>,
  blockHashOf: BlockHashOf,
): EVM {
  const common = evmParameters(rules)
  const options = {
    ...{ common, stateManager, blockchain, allowUnlimitedContractSize },
    allowUnlimitedInitCodeSize: allowUnlimitedContractSize,
    ...{ bn254: lazyBn254, bls: lazyBls },
  }
  const isSupported = interpreter === 'wasm' && supportsRules(common)
  const evm = isSupported ? new WasmEvm({ ...options, blockHashOf }) : new EVM(options)
  installPrecompiles(rules, evm)
  hideRevert(evm)
  return evm
}

/** Precompiles are warm in every transaction, so their addresses are converted once. */
function precompileWarmer(evm: EVM): () => void {
  const addresses = [...evm.precompiles.keys()]
  if (evm instanceof WasmEvm) {
    const precompiles = new Set(addresses.map((address): Address => `0x${address}`))
    return () => evm.access.warmPrecompiles(precompiles)
  }
  return () => {
    for (const address of addresses) evm.journal.addAlwaysWarmAddress(address)
  }
}

function observedByEvents(evm: EVM, writer: StateWriter): ObservedEvm {
  const translate = (observation: Observation) => new ReferenceTranslator(evm, writer, observation)
  return { current: undefined, prepareSteps: async () => {}, translate }
}

export function createPooledEvm({ rules, settings }: EvmPool): PooledEvm {
  const writer = new StateWriter(EMPTY_WORLD_STATE)
  let instance: PooledEvm | undefined
  const blockchain = {
    getBlock: async (blockNumber: number) => ({
      hash: () => hexToBytes(instance?.blockHashOf(blockNumber) ?? ZERO_HASH),
    }),
    putBlock: async () => {},
    shallowCopy: () => blockchain,
  }
  const evm = createEvm(rules, settings, writer, blockchain, (number) => instance?.blockHashOf(number))
  const ecrecover = evm.precompiles.get(ECRECOVER)
  if (ecrecover !== undefined)
    evm.precompiles.set(
      ECRECOVER,
      withSigners(ecrecover, () => instance?.signers),
    )
  const ownPrecompiles = new Map(evm.precompiles)
  const unset = { blockHashOf: () => undefined, precompiles: undefined, signers: undefined }
  const isWasm = evm instanceof WasmEvm
  const warmPrecompiles = precompileWarmer(evm)
  instance = {
    ...{ rules, evm, writer, console: recordConsole(evm), ownPrecompiles, warmPrecompiles },
    gasWatch: isWasm ? evm.gasWatch : undefined,
    observed: isWasm ? evm.observed : observedByEvents(evm, writer),
    ...unset,
  }
  return instance
}

/**
 * An instance that records coverage, which the interpreter of @ethereumjs cannot; throws `coverageUnavailable`.
 * @param known continues what another instance has recorded
 */
export async function coverEvm(pool: EvmPool, known?: Covering) {
  const instance = createPooledEvm(pool)
  if (!(instance.evm instanceof WasmEvm)) throw failure('coverageUnavailable')
  await load(loadCoveringInterpreter())
  const covering = known ?? createCovering()
  instance.evm.cover(covering)
  return { instance, covering }
}
