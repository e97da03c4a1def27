// @ts-check
// All benchmarks in the order in which they are reported.

import { emptyBlocks, reads, snapshots, starting } from './chains.js'
import { hashes, signatures, typedData } from './crypto.js'
import { ethereumjs } from './ethereumjs.js'
import { explorations } from './explore.js'
import { rollups } from './rollup.js'
import { automined, blockSizes, histories, states } from './transactions.js'
import { tries } from './tries.js'

/** @type {Readonly<Record<string, import('../measure.js').Suite>>} */
export const SUITES = {
  blocks: blockSizes,
  history: histories,
  state: states,
  auto: automined,
  ethereumjs,
  snapshots,
  reads,
  empty: emptyBlocks,
  rollup: rollups,
  explore: explorations,
  start: starting,
  keccak: hashes,
  secp256k1: signatures,
  typed: typedData,
  trie: tries,
}
