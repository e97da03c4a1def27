// Entry of the module for src/core/execution/precompiles; `node scripts/compile-precompiles.js` compiles it.

export { BLOCK, compress } from './blake2'
export { absorb, BASE, begin, beginOdd, EXPONENT, finish, MODULUS, ONE, RESULT } from './power'
