// Impersonated signatures: ecrecover returns the signer that a test has set for a signature, as in anvil.

import type { Precompile } from '../../interpreter/evm-interface.ts'
import { type Address, bytesToHex, concatBytes, type Hex, hexToBytes, padLeft } from '../../primitives/hex.ts'
import type { PersistentMap } from '../../primitives/persistent-map.ts'

/** Signature of 65 bytes (r, s, v), for any digest → signer to return. */
export type SignerOverrides = PersistentMap<Hex, Address>

/** The signature in the input of ecrecover, which is hash, v, r and s, a word each, padded with zeros. */
function signatureIn(data: Uint8Array): Hex {
  const input = new Uint8Array(128)
  input.set(data.subarray(0, 128))
  return bytesToHex(concatBytes(input.subarray(64), input.subarray(63, 64)))
}

/** ecrecover that first looks in `signersOf()`; gas is the same. @internal */
export function withSigners(ecrecover: Precompile, signersOf: () => SignerOverrides | undefined): Precompile {
  return (input) => {
    const signers = signersOf()
    if (signers === undefined || signers.size === 0) return ecrecover(input)
    const signer = signers.get(signatureIn(input.data))
    const gas = input.common.param('ecRecoverGas')
    if (signer === undefined || input.gasLimit < gas) return ecrecover(input)
    return { executionGasUsed: gas, returnValue: padLeft(hexToBytes(signer), 32) }
  }
}
