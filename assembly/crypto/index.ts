// What src/primitives has in WebAssembly: `node scripts/compile-crypto.js` compiles it.

export { absorb, begin, finish, hash, INPUT, ROOM } from './keccak'
export { BYTES, HALVES, invertScalar, prepare, recover } from './secp256k1'
