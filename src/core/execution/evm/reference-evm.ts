// The EVM of @ethereumjs: the reference, and what the EVM of this library takes from it. Loaded when it is first needed.

import { EVM, type EVMOpts, getActivePrecompiles, type PrecompileFunc } from '@ethereumjs/evm'
import type { RunOnReference, WasmEvm } from '../../interpreter/evm.ts'
import type { Evm, Precompile } from '../../interpreter/evm-interface.ts'
import type { Message } from '../../interpreter/message.ts'
import { runOnReference } from '../../interpreter/run-on-reference.ts'
import { hexToBytes, ZERO_HASH } from '../../primitives/hex.ts'
import type { Rules } from '../../rollup/rules.ts'
import type { StateWriter } from '../../state/state-writer.ts'
import { lazyBls, lazyBn254 } from '../precompiles/install.ts'
import type { BlockHashOf } from './environment.ts'
import { evmParameters } from './evm-parameters.ts'
import type { EvmSettings } from './pooled-evm.ts'
import { ReferenceState } from './reference-state.ts'

export { ReferenceTranslator } from '../../interpreter/reference-steps.ts'

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

const curves = { bn254: lazyBn254, bls: lazyBls }

function blockchainOf(blockHashOf: BlockHashOf): NonNullable<EVMOpts['blockchain']> {
  const blockchain: NonNullable<EVMOpts['blockchain']> = {
    getBlock: async (blockNumber: number) => ({
      hash: () => hexToBytes(blockHashOf(blockNumber) ?? ZERO_HASH),
    }),
    putBlock: async () => {},
    shallowCopy: () => blockchain,
  }
  return blockchain
}

/** Its types are those of its own classes, of which ours have the parts that it reads. */
function asEvm(evm: EVM): Evm {
  return evm as unknown as Evm
}

export function createReferenceEvm(
  rules: Rules,
  { allowUnlimitedContractSize }: EvmSettings,
  writer: StateWriter,
  blockHashOf: BlockHashOf,
): Evm {
  const evm = new EVM({
    ...{ common: evmParameters(rules), stateManager: new ReferenceState(writer), ...curves },
    ...{ allowUnlimitedContractSize, allowUnlimitedInitCodeSize: allowUnlimitedContractSize },
    blockchain: blockchainOf(blockHashOf),
  })
  hideRevert(evm)
  return asEvm(evm)
}

/** Runs single frames of a WebAssembly EVM, which runs their messages. */
class FrameEvm extends EVM {
  private readonly wasm: WasmEvm

  constructor(rules: Rules, wasm: WasmEvm) {
    super({
      ...{ common: evmParameters(rules), stateManager: new ReferenceState(wasm.writer), ...curves },
      allowUnlimitedInitCodeSize: wasm.allowUnlimitedInitCodeSize,
      blockchain: blockchainOf(wasm.blockHashOf),
    })
    this.wasm = wasm
    // They have what its interpreter calls.
    this.journal = wasm.access as unknown as EVM['journal']
    Object.assign(this, { transientStorage: wasm.transient })
  }

  override async runCall({ message }: Parameters<EVM['runCall']>[0]): ReturnType<EVM['runCall']> {
    return this.wasm.runMessage(message as unknown as Message)
  }

  runFrame(message: Message) {
    Object.assign(this, { _block: this.wasm.environment?.block, _tx: this.wasm.environment?.transaction })
    return this.runInterpreter(message as unknown as Parameters<EVM['runInterpreter']>[0])
  }
}

const frameEvms = new WeakMap<WasmEvm, FrameEvm>()

/** Runs a frame of a WebAssembly EVM. */
export const runReferenceFrame: RunOnReference = (wasm, rules, message, observation) => {
  let evm = frameEvms.get(wasm)
  if (evm === undefined) {
    evm = new FrameEvm(rules, wasm)
    hideRevert(evm)
    frameEvms.set(wasm, evm)
  }
  const run = evm.runFrame.bind(evm, message)
  return observation === undefined
    ? run()
    : runOnReference(asEvm(evm), wasm.writer, observation, message, run)
}

/** The precompiles of a fork by unprefixed address, with the library's arithmetic of curves. */
export function referencePrecompiles(rules: Rules): ReadonlyMap<string, Precompile> {
  const common = evmParameters(rules)
  const host = { _bn254: lazyBn254, _bls: lazyBls }
  const bound = (own: PrecompileFunc): Precompile => {
    return ({ data, gasLimit }) =>
      own({ data, gasLimit, common, _EVM: host } as unknown as Parameters<PrecompileFunc>[0])
  }
  return new Map([...getActivePrecompiles(common)].map(([address, own]) => [address, bound(own)] as const))
}
