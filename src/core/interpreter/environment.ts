// Block and transaction values that opcodes read, such as NUMBER and GASPRICE.

import { bytesToBigInt } from '../primitives/hex.ts'
import { type Core, writeWord } from './core.ts'
import type { EvmAddress } from './evm-address.ts'
import type { ForkParameters } from './fork-parameters.ts'
import { ENVIRONMENT_FIRST, WORD } from './layout.ts'

/** The block and transaction in the form in which @ethereumjs holds them. */
export interface Environment {
  readonly block: {
    readonly header: {
      readonly number: bigint
      readonly coinbase: { readonly bytes: Uint8Array }
      readonly timestamp: bigint
      readonly difficulty: bigint
      readonly prevRandao: Uint8Array
      readonly gasLimit: bigint
      readonly baseFeePerGas?: bigint | undefined
      readonly getBlobGasPrice: () => bigint | undefined
    }
  }
  readonly transaction: {
    readonly gasPrice: bigint
    readonly origin: EvmAddress
    /** If a cheatcode has changed it. */
    readonly chainId?: bigint | undefined
  }
}

function environmentWord(
  { block, transaction }: Environment,
  common: ForkParameters,
  opcode: number,
): bigint {
  const { header } = block
  switch (opcode) {
    case 0x32:
      return bytesToBigInt(transaction.origin.bytes)
    case 0x3a:
      return transaction.gasPrice
    case 0x41:
      return bytesToBigInt(header.coinbase.bytes)
    case 0x42:
      return header.timestamp
    case 0x43:
      return header.number
    case 0x44:
      return common.isActivatedEIP(4399) ? bytesToBigInt(header.prevRandao) : header.difficulty
    case 0x45:
      return header.gasLimit
    case 0x46:
      return transaction.chainId ?? common.chainId()
    case 0x48:
      return header.baseFeePerGas ?? 0n
    default:
      return header.getBlobGasPrice() ?? 0n
  }
}

/** Caches the result of an opcode in linear memory, for all frames of the same block and transaction. */
export function cacheWord(
  core: Core,
  environment: Environment,
  common: ForkParameters,
  opcode: number,
): void {
  const index = opcode - ENVIRONMENT_FIRST
  const { environment: words, environmentKnown } = core.exports
  writeWord(core, words.value + WORD * index, environmentWord(environment, common, opcode))
  core.bytes[environmentKnown.value + index] = 1
}

export function clearCachedWords({ bytes, exports }: Core): void {
  bytes.fill(0, exports.environmentKnown.value, exports.environmentKnown.value + 32)
}
