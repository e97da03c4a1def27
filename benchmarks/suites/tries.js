// @ts-check
// Benchmarks of the account updates of a block in a state trie: src/core/state/trie.ts and @ethereumjs/mpt, with the same
// keccak. For docs/decisions/0003-own-trie.md.

import { createMPT } from '@ethereumjs/mpt'
import { MapDB } from '@ethereumjs/util'
import { keccak256 } from '../../dist/core/primitives/crypto.js'
import { bytesToHex, hexToBytes, toWord } from '../../dist/core/primitives/hex.js'
import { trieRoot, trieSet } from '../../dist/core/state/trie.js'
import { collectGarbage, timeOf, toRow } from '../measure.js'
import { accountAt } from '../workload.js'

/** @typedef {import('../../dist/core/state/trie.js').Trie} Trie */

const ACCOUNTS = 10_000
const ROUNDS = 11
const WARM_UP = 3

/** A value like an account's leaf: some 70 bytes. @param {number} index @param {number} round */
function leafOf(index, round) {
  return keccakTwice(hexToBytes(toWord(index * 1000 + round + 1)))
}

/** @param {Uint8Array} seed */
function keccakTwice(seed) {
  const first = keccak256(seed)
  return new Uint8Array([...first, ...keccak256(first), ...first.subarray(0, 6)])
}

/** @param {number} updates @param {number} round @returns {[Uint8Array, Uint8Array][]} */
function changesOf(updates, round) {
  return Array.from({ length: updates }, (_, index) => {
    const account = (index * 7919 + round * 31) % ACCOUNTS
    return [keys[account] ?? new Uint8Array(0), leafOf(account, round)]
  })
}

const keys = Array.from({ length: ACCOUNTS }, (_, index) => keccak256(hexToBytes(accountAt(index))))

/** @param {number} updates */
async function measureOwn(updates) {
  /** @type {Trie} */
  let trie
  for (const [index, key] of keys.entries()) trie = trieSet(trie, key, leafOf(index, 0))
  trieRoot(trie)
  const times = []
  let root = new Uint8Array(0)
  for (let round = 1; round <= WARM_UP + ROUNDS; round++) {
    const changes = changesOf(updates, round)
    collectGarbage()
    const time = await timeOf(() => {
      for (const [key, value] of changes) trie = trieSet(trie, key, value)
      root = new Uint8Array(trieRoot(trie))
    })
    if (round > WARM_UP) times.push(time / updates)
  }
  return { times, root: bytesToHex(root) }
}

/** @param {number} updates */
async function measureMpt(updates) {
  const trie = await createMPT({ db: new MapDB(), useKeyHashingFunction: keccak256 })
  for (const [index, key] of keys.entries()) await trie.put(key, leafOf(index, 0))
  const times = []
  let root = new Uint8Array(0)
  for (let round = 1; round <= WARM_UP + ROUNDS; round++) {
    const changes = changesOf(updates, round)
    collectGarbage()
    const time = await timeOf(async () => {
      trie.checkpoint()
      for (const [key, value] of changes) await trie.put(key, value)
      await trie.commit()
      root = new Uint8Array(trie.root())
    })
    if (round > WARM_UP) times.push(time / updates)
  }
  return { times, root: bytesToHex(root) }
}

/** @type {import('../measure.js').Suite} */
export const tries = {
  title: 'An update of a state trie with 10,000 accounts, and its part of the root',
  async run(report, progress) {
    for (const updates of [100, 1000]) {
      const nameOf = (/** @type {string} */ what) => `${what}, ${updates.toLocaleString('en')} a block`
      progress(nameOf('src/core/state/trie.ts'))
      const own = await measureOwn(updates)
      progress(nameOf('@ethereumjs/mpt'))
      const mpt = await measureMpt(updates)
      if (own.root !== mpt.root) throw new Error('the roots differ')
      const compareWith = nameOf('src/core/state/trie.ts')
      report(toRow(compareWith, own.times, { unit: 'update', compareWith }))
      report(toRow(nameOf('@ethereumjs/mpt'), mpt.times, { unit: 'update', compareWith }))
    }
  },
}
