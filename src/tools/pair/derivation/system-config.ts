// Updates of the system configuration: the logs of the contract SystemConfig (OP specs, System Config).

import type { Log } from '../../../core/execution/transaction/receipt.ts'
import { keccak256Hex } from '../../../core/primitives/crypto.ts'
import {
  bytesToBigInt,
  bytesToHex,
  type Hash,
  padLeft,
  utf8ToBytes,
  ZERO_HASH,
} from '../../../core/primitives/hex.ts'
import type { SystemConfig } from '../../../core/rollup/stack.ts'
import { abiBytes } from './abi-bytes.ts'

/** The numbers of the kinds of updates. */
const BATCHER = 0n
const FEE_SCALARS = 1n
const GAS_LIMIT = 2n
/** Of no effect on derivation. */
const UNSAFE_BLOCK_SIGNER = 3n
const EIP_1559_PARAMS = 4n
const OPERATOR_FEE_PARAMS = 5n
const MIN_BASE_FEE = 6n
const DA_FOOTPRINT_GAS_SCALAR = 7n

const WORD = 32
const MAX_UINT64 = 2n ** 64n - 1n
const MAX_UINT16 = 0xffffn

let topic: Hash | undefined

function updateTopic(): Hash {
  topic ??= keccak256Hex(utf8ToBytes('ConfigUpdate(uint256,uint8,bytes)'))
  return topic
}

/** A word as two numbers of 32 bits, its last eight bytes. */
function pairOf(word: Uint8Array): readonly [high: number, low: number] {
  const view = new DataView(word.buffer, word.byteOffset + WORD - 8, 8)
  return [view.getUint32(0), view.getUint32(4)]
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
}

/**
 * The scalars in a word of the L1 data fee: version 0 has the one of before ecotone, version 1 both of ecotone. Other
 * words are no scalars from ecotone on.
 */
function ecotoneScalars(
  word: Uint8Array,
): Pick<SystemConfig, 'baseFeeScalar' | 'blobBaseFeeScalar'> | undefined {
  const [blobBaseFeeScalar, baseFeeScalar] = pairOf(word)
  if (word[0] === 0 && isZero(word.subarray(1, 28))) return { baseFeeScalar, blobBaseFeeScalar: 0 }
  if (word[0] === 1 && isZero(word.subarray(1, 24))) return { baseFeeScalar, blobBaseFeeScalar }
  return undefined
}

function withFeeScalars(system: SystemConfig, content: Uint8Array, isEcotone: boolean): SystemConfig {
  const overhead = bytesToBigInt(content.subarray(0, WORD))
  const word = content.subarray(WORD)
  const scalars = ecotoneScalars(word)
  const scalar = bytesToBigInt(word)
  if (!isEcotone) return { ...system, overhead, scalar, ...scalars }
  return scalars === undefined ? system : { ...system, overhead: 0n, scalar, ...scalars }
}

/** The configuration after an update of one word; `undefined` for a word that op-node refuses. */
function withWord(system: SystemConfig, kind: bigint, word: Uint8Array): SystemConfig | undefined {
  const value = bytesToBigInt(word)
  const [high, low] = pairOf(word)
  switch (kind) {
    case BATCHER:
      return { ...system, batcherHash: bytesToHex(padLeft(word.subarray(12), WORD)) }
    case GAS_LIMIT:
      return value > MAX_UINT64 ? undefined : { ...system, gasLimit: value }
    case EIP_1559_PARAMS:
      // Zero stands for the chain's own parameters, and both or none are set.
      if ((high === 0) !== (low === 0)) return undefined
      return { ...system, eip1559: { denominator: high, elasticity: low } }
    case OPERATOR_FEE_PARAMS:
      return {
        ...system,
        operatorFeeScalar: Number((value >> 64n) & 0xffff_ffffn),
        operatorFeeConstant: value & MAX_UINT64,
      }
    case MIN_BASE_FEE:
      return value > MAX_UINT64 ? undefined : { ...system, minBaseFee: value }
    case DA_FOOTPRINT_GAS_SCALAR:
      return value > MAX_UINT16 ? undefined : { ...system, daFootprintGasScalar: Number(value) }
    default:
      return undefined
  }
}

/**
 * The configuration after a log of SystemConfig. Logs that are no update, or a malformed one, change nothing.
 *
 * `isEcotone`: whether ecotone is active at the time of the L1 block, which decides how scalars are read.
 */
export function updateSystem(system: SystemConfig, log: Log, isEcotone: boolean): SystemConfig {
  const [event, version, kindWord] = log.topics
  if (event !== updateTopic() || version !== ZERO_HASH || kindWord === undefined) return system
  const kind = BigInt(kindWord)
  const content = abiBytes(log.data)
  if (content === undefined || kind === UNSAFE_BLOCK_SIGNER) return system
  if (kind === FEE_SCALARS) {
    return content.length === 2 * WORD ? withFeeScalars(system, content, isEcotone) : system
  }
  return content.length === WORD ? (withWord(system, kind, content) ?? system) : system
}
