// Entry of the crypto module for src/core/primitives; `node scripts/compile-crypto.js` compiles it.

export { isMultiple, multiple, SIGNS } from './comb'
export { absorb, begin, finish, hash, INPUT, ROOM } from './keccak'
export { BYTES, invertScalar } from './moduli'
export { HALVES, recover } from './secp256k1'
export { firstSecret, nextSecret } from './secret'
export { absorbSha256, beginSha256, finishSha256 } from './sha256'
