// MODEXP (EIP-198), with the limits of EIP-7823.

import type { Precompile } from '../../interpreter/evm-interface.ts'
import {
  bigIntToBytes,
  bytesToBigInt,
  EMPTY_BYTES,
  padLeft,
  stripLeadingZeros,
} from '../../primitives/hex.ts'
import { failed, outOfGas } from './failures.ts'
import { modexpGas, readLengths, readPadded } from './modexp-gas.ts'
import type { PrecompileModule } from './module.ts'
import { power } from './power.ts'

const HEAD_BYTES = 96
/** The most bytes of a part (EIP-7823). */
const MAX_PART_BYTES = 1024n
const TOO_LONG = 'one or more of base/exponent/modulus length exceeded 1024 bytes'
/** The same before osaka, where gas is the limit: that of @ethereumjs/evm, which no gas limit in use can pay for. */
const MAX_ARRAY_BYTES = 2n ** 31n - 1n

export function modexp(module: PrecompileModule): Precompile {
  return ({ data, gasLimit, common }) => {
    const lengths = readLengths(data)
    const gas = modexpGas(common, data, lengths)
    if (gasLimit < gas) return outOfGas(gasLimit)
    const isBounded = common.isActivatedEIP(7823)
    if (!isBounded && lengths.base === 0n && lengths.modulus === 0n)
      return { executionGasUsed: gas, returnValue: EMPTY_BYTES }
    const longest = Object.values(lengths).reduce((most, length) => (length > most ? length : most))
    if (isBounded && longest > MAX_PART_BYTES) return failed(gasLimit, TOO_LONG)
    if (longest > MAX_ARRAY_BYTES) return outOfGas(gasLimit)
    const [base, exponent, modulus] = [lengths.base, lengths.exponent, lengths.modulus].map(Number) as [
      number,
      number,
      number,
    ]
    const afterBase = HEAD_BYTES + base
    const result = power(
      module,
      bytesToBigInt(readPadded(data, HEAD_BYTES, base)),
      stripLeadingZeros(readPadded(data, afterBase, exponent)),
      bytesToBigInt(readPadded(data, afterBase + exponent, modulus)),
    )
    return { executionGasUsed: gas, returnValue: padLeft(bigIntToBytes(result), modulus) }
  }
}
