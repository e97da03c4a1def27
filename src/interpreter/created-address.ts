// Addresses of created contracts, hashed in WebAssembly: the keccak-256 of @ethereumjs is JavaScript, which is slow
// until the engine has optimised it.

import { keccak256 } from '../primitives/crypto.ts'
import { bigIntToBytes, concatBytes } from '../primitives/hex.ts'
import { encodeBytesList } from '../primitives/rlp.ts'

const HASH_BYTES = 32
const ADDRESS_BYTES = 20
const CREATE2_PREFIX = Uint8Array.of(0xff)

function addressIn(hash: Uint8Array): Uint8Array {
  return hash.subarray(HASH_BYTES - ADDRESS_BYTES)
}

/** The address for CREATE and creation transactions (yellow paper, 7); `nonce` is the creator's before the creation. */
export function addressByNonce(creator: Uint8Array, nonce: bigint): Uint8Array {
  return addressIn(keccak256(encodeBytesList([creator, bigIntToBytes(nonce)])))
}

/** The address for CREATE2 (EIP-1014). */
export function addressBySalt(creator: Uint8Array, salt: Uint8Array, initCode: Uint8Array): Uint8Array {
  return addressIn(keccak256(concatBytes(CREATE2_PREFIX, creator, salt, keccak256(initCode))))
}
