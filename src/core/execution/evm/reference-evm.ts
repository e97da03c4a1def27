// The EVM of @ethereumjs: the reference, and the precompiles that the EVM of this library takes from it. Loaded when it is
// first needed.

import { Common, type CustomCrypto, Mainnet, type ParamsDict } from '@ethereumjs/common'
import { EVM, type EVMOpts, getActivePrecompiles, type PrecompileFunc, paramsEVM } from '@ethereumjs/evm'
import type { Evm, Precompile } from '../../interpreter/evm-interface.ts'
import type { Message } from '../../interpreter/message.ts'
import { keccak256, recoverPublicKey, sha256 } from '../../primitives/crypto.ts'
import { bytesToBigInt, hexToBytes, ZERO_HASH } from '../../primitives/hex.ts'
import { memoizeWeak } from '../../primitives/lru-cache.ts'
import type { Rules } from '../../rollup/rules.ts'
import type { StateWriter } from '../../state/world-state.ts'
import { lazyBls, lazyBn254 } from '../precompiles/install.ts'
import type { NativeSite } from './native-contracts.ts'
import type { BlockHashOf, EvmSettings } from './pooled-evm.ts'
import { ReferenceState } from './reference-state.ts'

/** Merges all parameters once: most of the time to construct an EVM goes into merging them into a copy. */
class SharedCommon extends Common {
  private isComplete = false

  complete(): this {
    super.updateParams(paramsEVM)
    this.isComplete = true
    return this
  }

  override updateParams(params: ParamsDict): void {
    if (!this.isComplete) super.updateParams(params)
  }

  override copy(): Common {
    return this
  }
}

function recover(digest: Uint8Array, v: bigint, r: Uint8Array, s: Uint8Array, chainId?: bigint): Uint8Array {
  const yParity = v < 2n ? v : chainId === undefined ? v - 27n : v - (chainId * 2n + 35n)
  const key =
    yParity === 0n || yParity === 1n
      ? recoverPublicKey(digest, bytesToBigInt(r), bytesToBigInt(s), Number(yParity))
      : undefined
  if (key === undefined) throw new RangeError('invalid signature')
  return key
}

/** Cryptography that @ethereumjs takes from this library. */
export const evmCrypto: CustomCrypto = { keccak256, sha256, ecrecover: recover }

/** The parameters (`Common`) of rules, which their EVMs share. */
const evmParameters = memoizeWeak((rules: Rules): Common => {
  const chain = { ...Mainnet, chainId: rules.chainId }
  return new SharedCommon({ chain, hardfork: rules.hardfork, customCrypto: evmCrypto }).complete()
})

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

export function createReferenceEvm(
  rules: Rules,
  { allowUnlimitedContractSize }: EvmSettings,
  writer: StateWriter,
  blockHashOf: BlockHashOf,
): Evm {
  const evm = new EVM({
    common: evmParameters(rules),
    stateManager: new ReferenceState(writer),
    ...curves,
    allowUnlimitedContractSize,
    allowUnlimitedInitCodeSize: allowUnlimitedContractSize,
    blockchain: blockchainOf(blockHashOf),
  })
  hideRevert(evm)
  // Its types are those of its own classes, of which ours have the parts that it reads.
  return evm as unknown as Evm
}

/** The parts of the EVM that its types hide, or that only its implementation has. */
interface Inside {
  _precompiles: Map<string, Precompile>
  readonly _block: { readonly header: { readonly timestamp: bigint } }
  readonly journal: {
    readonly isWarmedAddress: (address: Uint8Array) => boolean
    readonly addWarmedAddress: (address: Uint8Array) => void
    readonly isWarmedStorage: (address: Uint8Array, slot: Uint8Array) => boolean
    readonly addWarmedStorage: (address: Uint8Array, slot: Uint8Array) => void
  }
}

/** Adds the native contracts of rules that have them. */
export function addNatives(
  evm: Evm,
  natives: typeof import('./native-contracts.ts'),
  parts: Pick<NativeSite, 'rules' | 'writer' | 'observed'>,
): void {
  const inside = evm as unknown as Inside
  const { journal } = inside
  let begun: Message | undefined
  evm.events.on('beforeMessage', (message) => {
    begun = message
  })
  evm.isNative = natives.isNative
  inside._precompiles = natives.withNatives(evm.precompiles, () => ({
    evm,
    ...parts,
    gasWatch: undefined,
    warmth: {
      warmUp(address) {
        const bytes = hexToBytes(address)
        const isCold = !journal.isWarmedAddress(bytes)
        if (isCold) journal.addWarmedAddress(bytes)
        return isCold
      },
      warmUpSlot(address, slot) {
        const place = [hexToBytes(address), hexToBytes(slot)] as const
        const isCold = !journal.isWarmedStorage(...place)
        if (isCold) journal.addWarmedStorage(...place)
        return isCold
      },
    },
    timestamp: () => inside._block.header.timestamp,
    chainId: () => evm.common.chainId(),
    begun: () => begun as Message,
    onStorage: () => {},
  }))
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
