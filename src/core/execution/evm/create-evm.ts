// Construction of EVM instances. evm-pool.ts imports it dynamically, so that the EVM loads with the first execution, and
// the reference with the first that needs it.

import { operandsOf } from '../../interpreter/costs.ts'
import { Covering } from '../../interpreter/covering.ts'
import { WasmEvm } from '../../interpreter/evm.ts'
import { type Environment, type Evm, type Precompile, reverted } from '../../interpreter/evm-interface.ts'
import { Message, type ObservedEvm } from '../../interpreter/message.ts'
import { loadInterpreter } from '../../interpreter/module.ts'
import { type Address, bytesToHex, concatBytes, type Hex, hexToBytes, padLeft } from '../../primitives/hex.ts'
import { type Later, load, loadOnce } from '../../primitives/loading.ts'
import type { SharedBytes } from '../../primitives/shared-bytes.ts'
import type { Rules } from '../../rollup/rules.ts'
import { EMPTY_WORLD_STATE, StateWriter } from '../../state/world-state.ts'
import { installPrecompiles, ownPrecompilesOf } from '../precompiles/install.ts'
import type { CoveredEvm } from './covered-evm.ts'
import type { NativeSite } from './native-contracts.ts'
import { type EvmPool, type PooledEvm, recordConsole, type SignerOverrides } from './pooled-evm.ts'

export { loadInterpreter }

type Reference = typeof import('./reference-evm.ts')
/** The module of native contracts, which rules without them do not need. */
type Natives = typeof import('./native-contracts.ts') | undefined

const ECRECOVER = '1'.padStart(40, '0')

export function loadReference(): Promise<Reference> {
  return load(import('./reference-evm.ts'))
}

const nativeContracts = loadOnce(() => import('./native-contracts.ts'))

/** What instances of rules with native contracts need. */
export function loadNatives({ rollup }: Rules): Later<Natives> {
  return rollup?.changes.natives === undefined ? undefined : nativeContracts()
}

/** The signature in the input of ecrecover, which is hash, v, r and s, a word each, padded with zeros. */
function signatureIn(data: Uint8Array): Hex {
  const input = new Uint8Array(128)
  input.set(data.subarray(0, 128))
  return bytesToHex(concatBytes(input.subarray(64), input.subarray(63, 64)))
}

/** ecrecover that first looks in `signersOf()`; gas is the same. */
function withSigners(ecrecover: Precompile, signersOf: () => SignerOverrides | undefined): Precompile {
  return (input) => {
    const signers = signersOf()
    if (signers === undefined || signers.size === 0) return ecrecover(input)
    const signer = signers.get(signatureIn(input.data))
    const gas = input.common.param('ecRecoverGas')
    if (signer === undefined || input.gasLimit < gas) return ecrecover(input)
    return { executionGasUsed: gas, returnValue: padLeft(hexToBytes(signer), 32) }
  }
}

/** The parts of an instance besides its EVM. */
type Rest = Pick<PooledEvm, 'gasWatch' | 'observed' | 'warmPrecompiles'>

function instanceOf(
  { rules }: EvmPool,
  create: (writer: StateWriter, blockHashOf: PooledEvm['blockHashOf']) => { readonly evm: Evm } & Rest,
): PooledEvm {
  const writer = new StateWriter(EMPTY_WORLD_STATE)
  let instance: PooledEvm | undefined
  const created = create(writer, (number) => instance?.blockHashOf(number))
  const { precompiles } = created.evm
  const ecrecover = precompiles.get(ECRECOVER)
  if (ecrecover !== undefined)
    precompiles.set(
      ECRECOVER,
      withSigners(ecrecover, () => instance?.signers),
    )
  instance = {
    rules,
    writer,
    console: recordConsole(created.evm),
    ownPrecompiles: new Map(precompiles),
    blockHashOf: () => undefined,
    precompiles: undefined,
    signers: undefined,
    meter: undefined,
    ...created,
  }
  return instance
}

/** The addresses of precompiles and native contracts that are warm in every transaction, converted once. */
function warmAddressesOf({ precompiles }: Evm, natives: Natives): Address[] {
  const own = [...precompiles.keys()].map((address): Address => `0x${address}`)
  return [...own, ...(natives?.FIXED_NATIVES ?? [])]
}

function wasmSite(evm: WasmEvm, rules: Rules): NativeSite {
  const { writer, observed, gasWatch, access } = evm
  const header = () => (evm.environment as Environment).block.header
  return {
    evm,
    rules,
    writer,
    observed,
    gasWatch,
    warmth: access,
    timestamp: () => header().timestamp,
    chainId: () => evm.environment?.transaction.chainId ?? evm.common.chainId(),
    onStorage: () => evm.noteUntold(),
  }
}

/** An instance with the interpreter in WebAssembly, which is loaded. */
export function createWasmInstance(pool: EvmPool, natives: Natives): PooledEvm {
  const { rules, settings } = pool
  return instanceOf(pool, (writer, blockHashOf) => {
    const own = ownPrecompilesOf(rules, async () => (await loadReference()).referencePrecompiles(rules))
    const evm: WasmEvm = new WasmEvm({
      rules,
      writer,
      blockHashOf,
      allowUnlimitedContractSize: settings.allowUnlimitedContractSize,
      precompiles: natives === undefined ? own : natives.withNatives(own, () => wasmSite(evm, rules)),
    })
    evm.isNative = natives?.isNative
    const addresses = new Set(warmAddressesOf(evm, natives))
    const { gasWatch, observed } = evm
    return { evm, gasWatch, observed, warmPrecompiles: () => evm.access.warmPrecompiles(addresses) }
  })
}

/** An instance with the interpreter in WebAssembly that records coverage; `known` continues what another has recorded. */
export async function coverEvm(
  pool: EvmPool,
  known?: Covering,
  copies?: SharedBytes,
): Promise<CoveredEvm & { readonly instance: PooledEvm }> {
  await load(Promise.all([loadInterpreter(), loadInterpreter('covering')]))
  const instance = createWasmInstance(pool, await loadNatives(pool.rules))
  const covering = known ?? new Covering(copies)
  const evm = instance.evm as WasmEvm
  evm.cover(covering)
  let ofContext: PooledEvm['blockHashOf'] | undefined
  return {
    replaceBlockHashes(hashOf) {
      ofContext ??= instance.blockHashOf
      const context = ofContext
      instance.blockHashOf = hashOf === undefined ? context : (number) => hashOf(number) ?? context(number)
    },
    instance,
    evm,
    covering,
    reverted: (returnValue) => reverted(0n, returnValue),
    makeMessage: (fields) => new Message(fields),
    operandsOf,
  }
}

/** An instance of the reference, which is loaded. */
export function createReferenceInstance(reference: Reference, pool: EvmPool, natives: Natives): PooledEvm {
  const { rules, settings } = pool
  return instanceOf(pool, (writer, blockHashOf) => {
    const evm = reference.createReferenceEvm(rules, settings, writer, blockHashOf)
    installPrecompiles(rules, evm.precompiles)
    const observed: ObservedEvm = {
      current: undefined,
      prepareSteps: async () => {},
      translate: (observation) => new reference.ReferenceTranslator(evm, writer, observation),
    }
    if (natives !== undefined) reference.addNatives(evm, natives, { rules, writer, observed })
    const addresses = warmAddressesOf(evm, natives)
    const warmPrecompiles = () => {
      for (const address of addresses) evm.journal.addAlwaysWarmAddress(address)
    }
    return { evm, gasWatch: undefined, observed, warmPrecompiles }
  })
}
